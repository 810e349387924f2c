import type { Config } from '../config.ts'

/** The refresh token. Its name is the one that older clients know. */
export const SESSION_COOKIE = 'jrt'
/** That somebody has signed in with this browser before. */
export const DEVICE_COOKIE = 'jdv'

/**
 * A cookie that scripts cannot read, other sites cannot send, and only `/auth` gets.
 * @param seconds it is kept; 0 deletes it
 */
export function authCookie(
  request: Request,
  config: Pick<Config, 'publicUrl'>,
  name: string,
  value: string,
  seconds: number,
): string {
  const secure = config.publicUrl?.startsWith('https:') || request.url.startsWith('https:') ? '; Secure' : ''
  return `${name}=${value}; Path=/auth; HttpOnly; SameSite=Lax; Max-Age=${seconds}${secure}`
}

/** The value of a cookie of the request, as it came; undefined where it is not there. */
export function cookieOf(request: Request, name: string): string | undefined {
  return (request.headers.get('cookie') ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1)
}
