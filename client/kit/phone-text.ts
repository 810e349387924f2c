/** The most digits that telephone numbers have in practice; WhatsApp's other ids of people are longer. */
const LONGEST = 13

/** The number of a member of a group, who may be known by an id of WhatsApp only: that is no number to show. */
export const memberNumber = (number: string | null): string =>
  number && number.length <= LONGEST ? phoneText(number) : ''

/** A Brazilian number as it is written there, any other with a plus; what is no number (a group's id) as it is. */
export function phoneText(number: string | null): string {
  if (!number) return ''
  const brazilian = /^55(\d{2})(\d{4,5})(\d{4})$/.exec(number)
  if (brazilian) return `+55 ${brazilian[1]} ${brazilian[2]}-${brazilian[3]}`
  // Kept as somebody typed it, without its country: no number of North America has a 9 there.
  const domestic = /^(1[1-9])(9\d{4})(\d{4})$/.exec(number)
  if (domestic) return `${domestic[1]} ${domestic[2]}-${domestic[3]}`
  return /^\d{8,15}$/.test(number) ? `+${number}` : number
}
