const CODE = /^[A-Za-z0-9_-]{11}$/
const HOSTS = new Set(['youtube.com', 'm.youtube.com', 'youtube-nocookie.com', 'youtu.be'])

/** The code of a film, from what somebody wrote or copied; null where there is none. Nothing else ever gets into a player's address. */
export function videoCode(written: string): string | null {
  const text = written.trim()
  if (CODE.test(text)) return text
  if (!URL.canParse(text)) return null
  const { protocol, hostname, pathname, searchParams } = new URL(text)
  const host = hostname.replace(/^www\./, '')
  if (!/^https?:$/.test(protocol) || !HOSTS.has(host)) return null
  const parts = pathname.split('/').filter(Boolean)
  const code =
    host === 'youtu.be'
      ? parts[0]
      : parts[0] === 'watch'
        ? searchParams.get('v')
        : ['embed', 'shorts', 'live'].includes(parts[0] ?? '')
          ? parts[1]
          : null
  return code && CODE.test(code) ? code : null
}
