import { lookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'

/** Addresses that only this network knows, or that mean no single machine outside. */
const inside = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  inside.addSubnet(network, bits, 'ipv4')
for (const [network, bits] of [
  ['::', 96],
  ['::ffff:0:0', 96],
  ['64:ff9b::', 96],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const)
  inside.addSubnet(network, bits, 'ipv6')

const isInside = (address: string) => inside.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

export interface EndpointRules {
  /** For tests, whose push service is on this machine and speaks plain http. */
  allowLoopback: boolean
}

/**
 * Whether a push service may live at this address: browsers name it, so it is a stranger's wish what this server calls.
 * Only https, on its usual port, by a name that can be public.
 */
export function isEndpoint(text: string, { allowLoopback }: EndpointRules): boolean {
  if (text.length > 1_000 || !URL.canParse(text)) return false
  const { protocol, hostname, port, username, password } = new URL(text)
  if (allowLoopback && protocol === 'http:' && hostname === '127.0.0.1') return true
  if (protocol !== 'https:' || port !== '' || username || password) return false
  const name = hostname.replace(/^\[|\]$/g, '')
  if (isIP(name)) return !isInside(name)
  return name.includes('.') && !/\.(local|localhost|internal|intranet|lan|home|arpa)\.?$/i.test(name)
}

/**
 * Whether the name leads outside now. A name that changes its mind between this look and the call gains nothing: the
 * certificate has to be good for that name, and nothing of the answer but its status is used.
 */
export async function leadsOutside(endpoint: string, { allowLoopback }: EndpointRules): Promise<boolean> {
  const { protocol, hostname } = new URL(endpoint)
  if (allowLoopback && protocol === 'http:') return true
  const found = await lookup(hostname.replace(/^\[|\]$/g, ''), { all: true })
  return found.length > 0 && found.every(({ address }) => !isInside(address))
}
