/**
 * A text with names where WhatsApp has the digits of an address: `@20005` becomes `@Ana`.
 * @param nameOf of the digits of an address; null leaves them
 */
export const namedMentions = (text: string, nameOf: (user: string) => string | null): string =>
  text.replace(/@(\d{5,20})(?!\d)/g, (whole, user: string) => {
    const name = nameOf(user)
    return name ? `@${name}` : whole
  })
