import type { Config } from '../config.ts'

type Of = Pick<Config, 'publicUrl' | 'trustProxy'>

/**
 * The addresses under which this call may have been made from a page of ours: the one that the operator has set, or
 * else the one that was called, whose scheme a proxy in front may have changed.
 */
export function ownOrigins(request: Request, { publicUrl, trustProxy }: Of): string[] {
  if (publicUrl !== undefined) return [new URL(publicUrl).origin]
  const forwarded = trustProxy > 0 ? request.headers.get('x-forwarded-host') : null
  const host = forwarded ?? request.headers.get('host') ?? new URL(request.url).host
  return [`https://${host}`, `http://${host}`]
}

/** The name that keys of devices are bound to: no page under another name can use them. */
export const ownName = (request: Request, config: Of): string => new URL(ownOrigins(request, config)[0]!).hostname
