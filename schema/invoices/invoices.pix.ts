import { plain } from '../plain.ts'

/** Whose key it is, as it stands in the code that people pay by. */
export interface PixKey {
  key: string
  name: string
  city: string
}

/** A field of the code: its number, how long it is, what it says. */
const field = (id: string, value: string): string => `${id}${String(value.length).padStart(2, '0')}${value}`

/** Letters, digits and blanks without accents, which is all that every bank's app reads. */
const bare = (text: string, length: number): string =>
  plain(text)
    .toUpperCase()
    .replace(/[^A-Z0-9 ]/g, ' ')
    .replace(/ +/g, ' ')
    .trim()
    .slice(0, length)
    .trim()

/**
 * The text of a Pix QR code that has no service behind it ("BR Code", static).
 * @param reference 25 letters and digits at most; shown in the receiver's statement
 */
export function brCode({ key, name, city }: PixKey, money: string, reference: string): string {
  const code = [
    field('00', '01'),
    field('26', field('00', 'br.gov.bcb.pix') + field('01', key)),
    field('52', '0000'),
    field('53', '986'),
    field('54', money),
    field('58', 'BR'),
    field('59', bare(name, 25) || 'N'),
    field('60', bare(city, 15) || 'C'),
    field('62', field('05', reference.replace(/[^A-Za-z0-9]/g, '').slice(0, 25) || '***')),
    '6304',
  ].join('')
  return code + crc16(code)
}

/** CRC-16 with polynomial 0x1021 from 0xFFFF: four capital hexadecimal digits. */
export function crc16(text: string): string {
  let crc = 0xffff
  for (let at = 0; at < text.length; at++) {
    crc ^= text.charCodeAt(at) << 8
    for (let bit = 0; bit < 8; bit++) crc = ((crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff) >>> 0
  }
  return crc.toString(16).toUpperCase().padStart(4, '0')
}
