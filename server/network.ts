import { isIPv4, isIPv6 } from 'node:net'

/**
 * What one attacker can choose freely of their address is left out: an IPv6 line has a network of 64 bits to itself.
 * @param address null, or what is no address, is one network of its own
 */
export function networkOf(address: string | null): string {
  const text = address?.replace(/^::ffff:(?=\d+\.)/i, '') ?? ''
  if (isIPv4(text)) return text
  if (!isIPv6(text)) return '?'
  const [head = '', tail] = text.split('%')[0]!.toLowerCase().split('::')
  const [left, right] = [head, tail ?? ''].map((part) => part.split(':').filter(Boolean))
  const groups =
    tail === undefined
      ? left!
      : [...left!, ...Array.from({ length: 8 - left!.length - right!.length }, () => '0'), ...right!]
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`
}
