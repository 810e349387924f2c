import { createHash, randomBytes } from 'node:crypto'
import { createLocalJWKSet, errors as joseErrors, type JSONWebKeySet, jwtVerify } from 'jose'
import { DomainError } from '../../schema/errors.ts'
import { groupsIn } from '../../schema/oidc/oidc.rules.ts'
import { type Outside, OutsideError } from '../outside/outside.ts'

/** What a sign-in begins with, and what its end is held against; it stays in the browser's cookie meanwhile. */
export interface Attempt {
  state: string
  nonce: string
  /** Of PKCE. */
  verifier: string
}

export interface Client {
  issuer: string
  clientId: string
  /** Empty where it has none. */
  secret: string
}

interface Metadata {
  authorization_endpoint: string
  token_endpoint: string
  jwks_uri: string
  methods: readonly string[]
  scopes: readonly string[]
}

/** Whom the provider says that it is. */
export interface Vouched {
  email: string
  name: string
  groups: readonly string[]
}

/** What a sign-in is recognised by when it comes back: random, and good for one attempt. */
export const newAttempt = (): Attempt => ({
  state: randomBytes(24).toString('base64url'),
  nonce: randomBytes(24).toString('base64url'),
  verifier: randomBytes(32).toString('base64url'),
})

/** Signatures that only the provider can have made; none that a shared secret makes, and never none. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']
const CALL = { httpsOnly: true, timeoutMs: 10_000, maxBytes: 256_000 }

/** @param why in a word, for the admin who set it up; nothing of an answer */
const failed = (why: string) => new DomainError('ERR_OIDC_PROVIDER', { why })

async function json(outside: Pick<Outside, 'fetch'>, address: string, call: object, why: string) {
  try {
    const response = await outside.fetch(address, { ...CALL, ...call })
    const body: unknown = await response.json()
    if (!response.ok || typeof body !== 'object' || body === null) throw failed(why)
    return body as Record<string, unknown>
  } catch (error) {
    if (error instanceof DomainError) throw error
    if (error instanceof OutsideError) throw failed(error.failure)
    throw failed(why)
  }
}

/**
 * What the provider says of itself.
 * @throws DomainError `ERR_OIDC_PROVIDER`
 */
export async function discover(outside: Outside, issuer: string): Promise<Metadata> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const found = await json(outside, address, {}, 'discovery')
  if (found['issuer'] !== issuer) throw failed('issuer')
  const at = (name: string) => {
    const value = found[name]
    if (typeof value !== 'string' || !outside.accepts(value, CALL)) throw failed(name)
    return value
  }
  const listed = (name: string) => (Array.isArray(found[name]) ? (found[name] as string[]) : undefined)
  return {
    authorization_endpoint: at('authorization_endpoint'),
    token_endpoint: at('token_endpoint'),
    jwks_uri: at('jwks_uri'),
    methods: listed('token_endpoint_auth_methods_supported') ?? ['client_secret_basic'],
    scopes: listed('scopes_supported') ?? [],
  }
}

/** Where a person is sent. */
export function authorizationUrl(
  metadata: Metadata,
  { clientId }: Client,
  { state, nonce, verifier }: Attempt,
  redirectUri: string,
  hint: string | undefined,
): string {
  const url = new URL(metadata.authorization_endpoint)
  const query = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    // Some tell groups only who asks for them; others refuse who asks for what they do not know.
    scope: ['openid', 'email', 'profile', ...(metadata.scopes.includes('groups') ? ['groups'] : [])].join(' '),
    state,
    nonce,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...(hint && { login_hint: hint }),
  }
  for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value)
  return url.href
}

/**
 * Whom the provider vouches for.
 * @throws DomainError `ERR_OIDC_PROVIDER` for an answer that is none, `ERR_OIDC_EMAIL` for somebody whose e-mail it has
 *   not verified
 */
export async function redeem(
  outside: Outside,
  client: Client,
  attempt: Attempt,
  { code, redirectUri, groupsClaim, now }: { code: string; redirectUri: string; groupsClaim: string; now: Date },
): Promise<Vouched> {
  const metadata = await discover(outside, client.issuer)
  const { clientId, secret } = client
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: attempt.verifier,
  })
  const headers: Record<string, string> = {
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'application/json',
  }
  if (secret !== '' && metadata.methods.includes('client_secret_basic'))
    // Both are written as a form writes them before they are joined (RFC 6749, 2.3.1).
    headers['authorization'] = `Basic ${Buffer.from(`${formText(clientId)}:${formText(secret)}`).toString('base64')}`
  else {
    form.set('client_id', clientId)
    if (secret !== '') form.set('client_secret', secret)
  }
  const answer = await json(
    outside,
    metadata.token_endpoint,
    { method: 'POST', headers, body: form.toString() },
    'token',
  )
  const idToken = answer['id_token']
  if (typeof idToken !== 'string') throw failed('id_token')
  const keys = (await json(outside, metadata.jwks_uri, {}, 'keys')) as unknown as JSONWebKeySet
  const claims = await verified(idToken, keys, client, now)
  const { nonce, azp, aud, email, email_verified: isVerified, name } = claims
  if (nonce !== attempt.nonce) throw failed('nonce')
  if ((Array.isArray(aud) && aud.length > 1 && azp !== clientId) || (azp !== undefined && azp !== clientId))
    throw failed('azp')
  // Some write it as text.
  if (typeof email !== 'string' || (isVerified !== true && isVerified !== 'true'))
    throw new DomainError('ERR_OIDC_EMAIL')
  return {
    email: email.trim().toLowerCase(),
    name: typeof name === 'string' ? name : '',
    groups: groupsIn(claims, groupsClaim),
  }
}

async function verified(token: string, keys: JSONWebKeySet, { issuer, clientId }: Client, now: Date) {
  try {
    const { payload } = await jwtVerify(token, createLocalJWKSet(keys), {
      issuer,
      audience: clientId,
      algorithms: ALGORITHMS,
      requiredClaims: ['exp', 'iat', 'sub', 'nonce'],
      clockTolerance: 60,
      currentDate: now,
    })
    return payload
  } catch (error) {
    throw failed(error instanceof joseErrors.JOSEError ? error.code : 'id_token')
  }
}

const formText = (text: string) => new URLSearchParams({ t: text }).toString().slice(2)
