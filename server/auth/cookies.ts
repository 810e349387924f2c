import type { Config } from '../config.ts'

/** The refresh token. Its name is the one that older clients know. */
export const SESSION_COOKIE = 'jrt'
/** That somebody has signed in with this browser before. */
export const DEVICE_COOKIE = 'jdv'

/** Of a cookie that a browser takes over https only, and from this very host, not from one beside or below it. */
const OWN_HOST = '__Host-'

/**
 * A cookie that scripts cannot read and other sites cannot send. Over https it is bound to this host, for which a browser
 * wants it to be sent with every path; without, only `/auth` gets it.
 * @param seconds it is kept; 0 deletes it
 */
export function authCookie(
  request: Request,
  config: Pick<Config, 'publicUrl'>,
  name: string,
  value: string,
  seconds: number,
): string {
  const isEncrypted = config.publicUrl?.startsWith('https:') || request.url.startsWith('https:')
  const [prefix, path, secure] = isEncrypted ? [OWN_HOST, '/', '; Secure'] : ['', '/auth', '']
  return `${prefix}${name}=${value}; Path=${path}; HttpOnly; SameSite=Lax; Max-Age=${seconds}${secure}`
}

/**
 * The value of a cookie of the request, as it came; undefined where it is not there. What was given without the prefix,
 * before an update or before the installation had https, counts where there is none with it.
 */
export function cookieOf(request: Request, name: string): string | undefined {
  const pairs = (request.headers.get('cookie') ?? '').split(';').map((pair) => pair.trim())
  const valueOf = (full: string) => pairs.find((pair) => pair.startsWith(`${full}=`))?.slice(full.length + 1)
  return valueOf(`${OWN_HOST}${name}`) ?? valueOf(name)
}
