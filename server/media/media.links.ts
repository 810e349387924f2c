import { isSameSecret } from '../same-secret.ts'
import { createHmac } from 'node:crypto'

/** Seconds that a link is good for: whoever is told of a message fetches its file soon, or never. */
export const LINK_SECONDS = 3_600

/** Addresses under which a program without a session of its own may fetch one file of a message, for a while. */
export interface MediaLinks {
  /** Undefined where this server does not know its own address. */
  to(path: string): string | undefined
  /** Whether the link was made for that file, by us, and is not too old. */
  isGood(link: string, path: string): boolean
}

/** @param secret of the access tokens; the key is another one, so that neither passes for the other */
export function createMediaLinks(
  { jwtSecret, publicUrl }: { jwtSecret: string; publicUrl: string | undefined },
  now: () => Date,
): MediaLinks {
  const key = createHmac('sha256', jwtSecret).update('balcao media link').digest()
  const signatureOf = (path: string, until: number) =>
    createHmac('sha256', key).update(`${path} ${until}`).digest('base64url')
  return {
    to(path) {
      if (publicUrl === undefined) return undefined
      const until = Math.floor(now().getTime() / 1_000) + LINK_SECONDS
      return `${publicUrl}/public/${path}?link=${until}.${signatureOf(path, until)}`
    },
    isGood(link, path) {
      const [, until, signature] = /^(\d{1,12})\.([\w-]{43})$/.exec(link) ?? []
      if (until === undefined || signature === undefined) return false
      const isRight = isSameSecret(signature, signatureOf(path, Number(until)))
      return isRight && Number(until) * 1_000 > now().getTime()
    },
  }
}
