import * as oauth from 'oauth4webapi'
import { DomainError } from '../../schema/errors.ts'
import { groupsIn } from '../../schema/oidc/oidc.rules.ts'
import { type Outside, OutsideError } from '../outside/outside.ts'

/**
 * OpenID Connect as far as it is ours: whom we call, what we ask for, whom we believe. The protocol itself (PKCE, the
 * call for the token, what makes a token valid) is oauth4webapi's.
 */

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

type Metadata = oauth.AuthorizationServer & { authorization_endpoint: string }

/** Whom the provider says that it is. */
export interface Vouched {
  /** By what the provider knows them, whatever their e-mail becomes. */
  subject: string
  email: string
  name: string
  groups: readonly string[]
}

/** What a sign-in is recognised by when it comes back: random, and good for one attempt. */
export const newAttempt = (): Attempt => ({
  state: oauth.generateRandomState(),
  nonce: oauth.generateRandomNonce(),
  verifier: oauth.generateRandomCodeVerifier(),
})

/** Signatures that only the provider can have made; none that a shared secret makes, and never none. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']
const CALL = { httpsOnly: true, timeoutMs: 10_000, maxBytes: 256_000 }
const CLOCK_TOLERANCE_SECONDS = 60

/** @param why in a word, for the admin who set it up; nothing of an answer */
const failed = (why: string) => new DomainError('ERR_OIDC_PROVIDER', { why })

/** The library calls by the guard towards the outside alone, which also says where `http:` may be called. */
const callsBy = (outside: Pick<Outside, 'fetch'>) => ({
  [oauth.allowInsecureRequests]: true,
  [oauth.customFetch]: (
    address: string,
    { method, headers, body }: { method: string; headers: Record<string, string>; body?: URLSearchParams | undefined },
  ) => outside.fetch(address, { ...CALL, method, headers, ...(body && { body: body.toString() }) }),
})

/** @throws DomainError `ERR_OIDC_PROVIDER` for whatever goes wrong in `step` */
async function inStep<T>(step: string, run: () => Promise<T> | T): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof DomainError) throw error
    if (error instanceof OutsideError) throw failed(error.failure)
    throw failed(error instanceof oauth.ResponseBodyError ? 'token' : step)
  }
}

/**
 * What the provider says of itself.
 * @throws DomainError `ERR_OIDC_PROVIDER`
 */
export async function discover(outside: Outside, issuer: string): Promise<Metadata> {
  const found = await inStep('discovery', async () => {
    const address = new URL(issuer)
    const response = await oauth.discoveryRequest(address, callsBy(outside))
    return oauth.processDiscoveryResponse(address, response)
  })
  // The library takes an address with and without its last slash for one; a token names it letter by letter.
  if (found.issuer !== issuer) throw failed('issuer')
  for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const)
    if (!outside.accepts(found[name] ?? '', CALL)) throw failed(name)
  return { ...found, id_token_signing_alg_values_supported: ALGORITHMS } as Metadata
}

/** Where a person is sent. */
export async function authorizationUrl(
  metadata: Metadata,
  { clientId }: Client,
  { state, nonce, verifier }: Attempt,
  redirectUri: string,
  hint: string | undefined,
): Promise<string> {
  const url = new URL(metadata.authorization_endpoint)
  const query = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    // Some tell groups only who asks for them; others refuse who asks for what they do not know.
    scope: ['openid', 'email', 'profile', ...(metadata.scopes_supported?.includes('groups') ? ['groups'] : [])].join(
      ' ',
    ),
    state,
    nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(hint && { login_hint: hint }),
  }
  for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value)
  return url.href
}

/**
 * Whom the provider vouches for.
 * @param answer what the browser came back with
 * @throws DomainError `ERR_OIDC_PROVIDER` for an answer that is none, `ERR_OIDC_EMAIL` for somebody whose e-mail it has
 *   not verified
 */
export async function redeem(
  outside: Outside,
  client: Client,
  attempt: Attempt,
  {
    answer,
    redirectUri,
    groupsClaim,
    now,
  }: { answer: Readonly<Record<string, string>>; redirectUri: string; groupsClaim: string; now: Date },
): Promise<Vouched> {
  const metadata = await discover(outside, client.issuer)
  const calls = callsBy(outside)
  const known: oauth.Client = {
    client_id: client.clientId,
    [oauth.clockSkew]: Math.round((now.getTime() - Date.now()) / 1_000),
    [oauth.clockTolerance]: CLOCK_TOLERANCE_SECONDS,
  }
  const code = await inStep('refused', () =>
    oauth.validateAuthResponse(metadata, known, new URLSearchParams(answer), attempt.state),
  )
  const response = await inStep('token', () =>
    oauth.authorizationCodeGrantRequest(
      ...([metadata, known, authenticationOf(client, metadata), code, redirectUri, attempt.verifier, calls] as const),
    ),
  )
  const claims = await inStep('id_token', async () => {
    const granted = await oauth.processAuthorizationCodeResponse(metadata, known, response, {
      ...{ expectedNonce: attempt.nonce, requireIdToken: true },
    })
    // The way to the provider is not enough for us: the token is to be signed by a key that it publishes.
    await oauth.validateApplicationLevelSignature(metadata, response, calls)
    return oauth.getValidatedIdTokenClaims(granted)!
  })
  const { azp, email, email_verified: isVerified, name, sub: subject } = claims
  if (azp !== undefined && azp !== client.clientId) throw failed('azp')
  // The standard has it at most 255 letters long.
  if (subject.length > 255) throw failed('sub')
  // Some write it as text.
  if (typeof email !== 'string' || (isVerified !== true && isVerified !== 'true'))
    throw new DomainError('ERR_OIDC_EMAIL')
  return {
    subject,
    email: email.trim().toLowerCase(),
    name: typeof name === 'string' ? name : '',
    groups: groupsIn(claims, groupsClaim),
  }
}

/** How the provider wants to hear the secret; the standard's own way where it says nothing. */
function authenticationOf({ secret }: Client, { token_endpoint_auth_methods_supported: methods }: Metadata) {
  if (secret === '') return oauth.None()
  const isBasic = methods === undefined || methods.includes('client_secret_basic')
  return isBasic ? basic(secret) : oauth.ClientSecretPost(secret)
}

/**
 * Both are written as a form writes them before they are joined (RFC 6749, 2.3.1). Unlike the library's own, which also
 * writes `-`, `_` and `.` as codes, this is understood by providers that forget to read the codes, too.
 */
const basic =
  (secret: string): oauth.ClientAuth =>
  (_metadata, { client_id: clientId }, _body, headers) =>
    headers.set('authorization', `Basic ${Buffer.from(`${formText(clientId)}:${formText(secret)}`).toString('base64')}`)

const formText = (text: string) => new URLSearchParams({ t: text }).toString().slice(2)
