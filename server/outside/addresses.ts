import ipaddr from 'ipaddr.js'

/** An address as the rules see it: what hides an IPv4 address (mapped, NAT64) is that IPv4 address. */
type Address = ipaddr.IPv4 | ipaddr.IPv6

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')
const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96')
/** Where clouds tell a machine its keys, besides the link-local address that most use. */
const metadata = ['100.100.100.200', '192.0.0.192', 'fd00:ec2::254']

function read(text: string): Address | undefined {
  // The zone of `fe80::1%eth0` changes nothing about where it leads.
  const bare = text.replace(/^\[|\]$/g, '').split('%', 1)[0]!
  if (!ipaddr.IPv4.isValidFourPartDecimal(bare) && !ipaddr.IPv6.isValid(bare)) return undefined
  const address = ipaddr.process(bare)
  if (address.kind() === 'ipv6' && (address as ipaddr.IPv6).match(nat64))
    return ipaddr.fromByteArray(address.toByteArray().slice(12)) as ipaddr.IPv4
  return address
}

/** Whether the text is an address itself, in place of a name. */
export const isAddress = (text: string): boolean => read(text) !== undefined

/** One spelling for each machine: all of this machine's own addresses are `127.0.0.1`. */
export function plainAddress(text: string): string {
  const address = read(text)
  if (!address) return text
  return address.range() === 'loopback' ? '127.0.0.1' : address.toString()
}

/** Whether the address is one machine's on the internet: nothing of this machine, of its network or of its cloud. */
export function isPublicAddress(text: string): boolean {
  const address = read(text)
  if (!address || metadata.includes(address.toString())) return false
  // ipaddr.js calls everything unicast that it knows no other name for, such as `::127.0.0.1`.
  if (address.kind() === 'ipv6' && !(address as ipaddr.IPv6).match(globalUnicast)) return false
  return address.range() === 'unicast'
}

/** Whether no operator may admit it: it means no machine, or the one that hands out a machine's keys. */
export function isNeverAllowed(text: string): boolean {
  const address = read(text)
  if (!address || metadata.includes(address.toString())) return true
  return ['linkLocal', 'unspecified', 'broadcast', 'multicast'].includes(address.range())
}

/** A network, or a name that is admitted wherever it leads. */
export type Allowed = { name: string } | { network: [Address, number] }

/**
 * One entry of `OUTBOUND_ALLOW`: `10.1.2.3`, `10.0.0.0/8`, `fd12::/16` or `erp.example.com`.
 * @throws Error that completes the sentence "OUTBOUND_ALLOW must be …"
 */
export function parseAllowed(entry: string): Allowed {
  const network = ipaddr.isValidCIDR(entry)
    ? ipaddr.parseCIDR(entry)
    : isAddress(entry)
      ? ([ipaddr.parse(entry), ipaddr.parse(entry).kind() === 'ipv4' ? 32 : 128] as [Address, number])
      : undefined
  if (network) return { network }
  if (!/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(entry) || /^[0-9.]+$/.test(entry))
    throw new Error(`addresses, networks (10.0.0.0/8) or names, separated by commas; "${entry}" is none of them`)
  return { name: entry.toLowerCase() }
}

/** Whether the list admits this address, reached by that name. */
export function isAllowed(list: readonly Allowed[], name: string, text: string): boolean {
  const address = read(text)
  if (!address || isNeverAllowed(text)) return false
  return list.some((entry) =>
    'name' in entry
      ? entry.name === name.toLowerCase().replace(/\.$/, '')
      : entry.network[0].kind() === address.kind() && address.match(entry.network as never),
  )
}

/** Whether the text is an address or a network. */
export const isNetwork = (text: string): boolean => ipaddr.isValidCIDR(text) || isAddress(text)

/** Whether an address lies in one of these networks. */
export function liesIn(networks: readonly string[], text: string): boolean {
  const address = read(text)
  if (!address) return false
  return networks.some((one) => {
    if (!isNetwork(one)) return false
    if (!ipaddr.isValidCIDR(one)) return read(one)?.toString() === address.toString()
    const [base, bits] = ipaddr.parseCIDR(one)
    return base.kind() === address.kind() && address.match([base, bits] as never)
  })
}
