/** Bun's server. */
export interface AddressSource {
  requestIP(request: Request): { address: string } | null
}

/**
 * The address of whoever calls, past the proxies that are trusted; null where it is not known (calls inside a test).
 * @param trustProxy number of proxies in front whose `X-Forwarded-For` is believed
 */
export function callerAddress(request: Request, server: AddressSource | null, trustProxy: number): string | null {
  const direct = server?.requestIP(request)?.address ?? null
  if (trustProxy === 0) return direct
  const hops = (request.headers.get('x-forwarded-for') ?? '')
    .split(',')
    .map((hop) => hop.trim())
    .filter(Boolean)
  // Each trusted proxy appends the address it was called from; what stands before those is the caller's own word.
  return hops.at(-trustProxy) ?? hops[0] ?? direct
}
