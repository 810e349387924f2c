import { exportPKCS8, generateKeyPair, jwtVerify } from 'jose'
import { type FakeService, json, Troubles } from './serve.ts'

interface Result {
  fulfillmentText?: string
  fulfillmentMessages?: unknown[]
  intent?: Record<string, unknown>
  parameters?: Record<string, unknown>
}

/** Google's token endpoint and Dialogflow ES behind it, for one service account with a key of its own. */
export async function fakeDialogflow({ project = 'padaria-agente' }: { project?: string } = {}) {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
  const email = `bot@${project}.iam.gserviceaccount.com`
  const tokens = new Set<string>()
  const asked: { session: string; text: string; languageCode: string }[] = []
  const troubles = new Troubles()
  const state: { answer: (text: string) => Result; grants: number; now: () => number } = {
    answer: (text) => ({ fulfillmentText: `Você disse: ${text}`, intent: { displayName: 'eco' } }),
    grants: 0,
    now: Date.now,
  }
  const refuse = (code: number, status: string) => json({ error: { code, message: 'no', status } }, code)

  async function grant(request: Request): Promise<Response> {
    const form = new URLSearchParams(await request.text())
    if (form.get('grant_type') !== 'urn:ietf:params:oauth:grant-type:jwt-bearer')
      return json({ error: 'unsupported_grant_type' }, 400)
    try {
      const { payload } = await jwtVerify(form.get('assertion') ?? '', publicKey, {
        issuer: email,
        audience: 'https://oauth2.googleapis.com/token',
        algorithms: ['RS256'],
        maxTokenAge: '1h',
        currentDate: new Date(state.now()),
      })
      if (payload.scope !== 'https://www.googleapis.com/auth/dialogflow') return json({ error: 'invalid_scope' }, 400)
    } catch {
      return json({ error: 'invalid_grant', error_description: 'Invalid JWT Signature.' }, 400)
    }
    const token = `ya29.${crypto.randomUUID()}`
    tokens.add(token)
    state.grants++
    return json({ access_token: token, expires_in: 3599, token_type: 'Bearer' })
  }

  async function detect(request: Request, path: string): Promise<Response> {
    if (!tokens.has(request.headers.get('authorization')?.replace('Bearer ', '') ?? ''))
      return refuse(401, 'UNAUTHENTICATED')
    const [, of, session] = /^\/v2\/projects\/([^/]+)\/agent\/sessions\/([^/:]+):detectIntent$/.exec(path) ?? []
    if (!session) return refuse(404, 'NOT_FOUND')
    if (of !== project) return refuse(403, 'PERMISSION_DENIED')
    const { queryInput } = (await request.json()) as { queryInput: { text: { text: string; languageCode: string } } }
    const { text, languageCode } = queryInput.text
    if (session.length > 36 || text === '' || text.length > 256) return refuse(400, 'INVALID_ARGUMENT')
    asked.push({ session, text, languageCode })
    return json({ responseId: '1', queryResult: { queryText: text, languageCode, ...state.answer(text) } })
  }

  const account = {
    type: 'service_account',
    project_id: project,
    private_key_id: 'k1',
    private_key: await exportPKCS8(privateKey),
    client_email: email,
    token_uri: 'http://169.254.169.254/token',
  }
  return {
    project,
    account,
    asked,
    tokens,
    troubles,
    state,
    async handle(request: Request, path: string): Promise<Response> {
      const trouble = await troubles.take()
      if (trouble) return trouble
      return path === '/token' ? grant(request) : detect(request, path)
    },
  } satisfies FakeService & Record<string, unknown>
}
