/** What the product is called where the operator has given it no name. */
export const OUR_NAME = 'Balcão'
/** Letters: it stands in tabs, in menus and under icons. */
export const PRODUCT_NAME_LENGTH = 30

/**
 * What somebody writes as the product's name, as it is kept: without blanks around it, empty for ours. Undefined for what
 * is none: too long, or with something that cannot be seen, such as a line's end or a mark that turns round the direction
 * of what stands behind it.
 */
export function readProductName(text: string): string | undefined {
  const name = text.normalize('NFC').trim()
  return [...name].length > PRODUCT_NAME_LENGTH || /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(name) ? undefined : name
}
