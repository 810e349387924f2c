/** When an access token ends, in ms since 1970; `null` when it does not say. The signature is the server's business. */
export function tokenExpiresAt(token: string): number | null {
  const part = token.split('.')[1]
  if (!part) return null
  try {
    const payload: unknown = JSON.parse(atob(part.replaceAll('-', '+').replaceAll('_', '/')))
    const exp = (payload as { exp?: unknown } | null)?.exp
    return typeof exp === 'number' ? exp * 1000 : null
  } catch {
    return null
  }
}
