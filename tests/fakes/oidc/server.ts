import { createHash, randomUUID } from 'node:crypto'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

/** Whom the provider says that it is, and how it lies about it; a test turns what it wants. */
export interface Says {
  email: string
  email_verified: unknown
  name: string
  /** Further claims, such as groups. */
  claims?: Record<string, unknown>
  /** By what it knows them; without it each e-mail is one person. */
  subject?: string
  /** In place of what was asked for. */
  nonce?: string
  issuer?: string
  audience?: string
  /** Seconds that the token is good for. */
  seconds: number
  /** What happens while it answers. */
  meanwhile?: () => Promise<unknown>
  /** Signed by somebody else, or by the client's own secret. */
  signedBy?: 'stranger' | 'secret' | 'nobody'
}

/** A provider of OpenID Connect on this machine, at which everybody has signed in already. */
export async function fakeOidc({ clientId = 'balcao', secret = 'client-secret' } = {}) {
  const [own, stranger] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')])
  const jwk = { ...(await exportJWK(own.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }
  const codes = new Map<string, { challenge: string; nonce: string; redirectUri: string; subject: string }>()
  const says: Says = { email: '', email_verified: true, name: 'Pessoa', seconds: 300 }
  const calls: string[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request): Promise<Response> {
      const url = new URL(request.url)
      calls.push(`${request.method} ${url.pathname}`)
      if (url.pathname === '/.well-known/openid-configuration')
        return Response.json({
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/jwks`,
          token_endpoint_auth_methods_supported: ['client_secret_basic'],
        })
      if (url.pathname === '/jwks') return Response.json({ keys: [jwk] })
      if (url.pathname === '/authorize') {
        const asked = url.searchParams
        if (asked.get('client_id') !== clientId || asked.get('code_challenge_method') !== 'S256')
          return new Response('bad request', { status: 400 })
        const code = randomUUID()
        const redirectUri = asked.get('redirect_uri')!
        codes.set(code, {
          challenge: asked.get('code_challenge')!,
          nonce: asked.get('nonce')!,
          redirectUri,
          subject: subjectNow(),
        })
        const back = new URL(redirectUri)
        back.searchParams.set('code', code)
        back.searchParams.set('state', asked.get('state')!)
        return new Response(null, { status: 302, headers: { location: back.href } })
      }
      if (url.pathname === '/token') {
        const form = new URLSearchParams(await request.text())
        const kept = codes.get(form.get('code') ?? '')
        codes.delete(form.get('code') ?? '')
        const basic = `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`
        const challenge = createHash('sha256')
          .update(form.get('code_verifier') ?? '')
          .digest('base64url')
        const isGood = kept && kept.challenge === challenge && kept.redirectUri === form.get('redirect_uri')
        if (request.headers.get('authorization') !== basic)
          return Response.json({ error: 'invalid_client' }, { status: 401 })
        await says.meanwhile?.()
        if (!isGood) return Response.json({ error: 'invalid_grant' }, { status: 400 })
        return Response.json({
          token_type: 'Bearer',
          access_token: 'x',
          id_token: await idToken(kept.nonce, kept.subject),
        })
      }
      return new Response('not found', { status: 404 })
    },
  })
  const issuer: string = `http://127.0.0.1:${server.port}`

  const subjectNow = () => says.subject ?? `sub of ${says.email}`
  async function idToken(nonce: string, subject: string): Promise<string> {
    const now = Math.floor(Date.now() / 1000)
    const { email, email_verified, name } = says
    const claims = { ...says.claims, email, email_verified, name, nonce: says.nonce ?? nonce }
    const token = new SignJWT(claims)
      .setIssuer(says.issuer ?? issuer)
      .setAudience(says.audience ?? clientId)
      .setSubject(subject)
      .setIssuedAt(now)
      .setExpirationTime(now + says.seconds)
    if (says.signedBy === 'secret')
      return token.setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(secret.padEnd(32, '0')))
    if (says.signedBy === 'nobody') {
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
      return `${part({ alg: 'none' })}.${part({ ...claims, iss: issuer, aud: clientId, sub: subject, iat: now, exp: now + 300 })}.`
    }
    return token
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .sign(says.signedBy === 'stranger' ? stranger.privateKey : own.privateKey)
  }
  return { issuer, clientId, secret, says, calls, stop: () => server.stop(true) }
}
