const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** FNV-1a of a text, 32 bits as 8 hex digits. */
function hash32(text: string): string {
  let h = 0x811c9dc5
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193)
  return (h >>> 0).toString(16).padStart(8, '0')
}

/**
 * The id of the `n`th row that a command makes: follows from the command's id, so that browser and server make the same,
 * and rises with `n`.
 *
 * @param of whose command it is, for an id that is no UUID: two people may have chosen the same
 */
export function idWithin(commandId: string, n: number, of: string): string {
  const whole = uuid.test(commandId) ? commandId.replaceAll('-', '') : hashed(`${of} ${commandId}`)
  const hex = `${whole.slice(0, 30)}${(n & 0xff).toString(16).padStart(2, '0')}`
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
const hashed = (text: string) => [0, 1, 2, 3].map((salt) => hash32(`${salt} ${text}`)).join('')
