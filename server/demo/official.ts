/** The simulated official API: where it is, and what an admin copies from Meta's pages. */
export interface DemoCloud {
  apiUrl: string
  /** On which its customers write. */
  pageUrl: string
  phoneNumberId: string
  accountId: string
  token: string
  appSecret: string
}

const NAME = 'Número oficial'
const VERIFY_TOKEN = 'palavra-da-padaria'
/** How long the webhook and the templates are waited for. */
const WAIT_MS = 20_000
/** A campaign that has been through, whose report can be read. */
const REACHED = 12

/** Asks the server as an admin does at the screen. */
type Ask = <T>(method: string, path: string, body?: unknown) => Promise<T>

async function askerOf(url: string, { email, password }: { email: string; password: string }): Promise<Ask> {
  const call = async (method: string, path: string, body: unknown, token?: string) => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${(await answer.text()).slice(0, 200)}`)
    return (await answer.json()) as unknown
  }
  const { token } = (await call('POST', '/auth/login', { email, password })) as { token: string }
  return async <T>(method: string, path: string, body?: unknown) => (await call(method, path, body, token)) as T
}

/**
 * Connects the sample company's official number as an admin would, once; tells the service at each start where the server is.
 * The first time a customer writes, and a campaign by a template runs.
 *
 * @param url of the server
 * @param login of one of the company's admins
 * @throws where the server or the service refuses, or nothing comes in time
 */
export async function linkOfficial(
  url: string,
  cloud: DemoCloud,
  login: { email: string; password: string },
): Promise<void> {
  const ask = await askerOf(url, login)
  const connections = await ask<{ id: number; name: string }[]>('GET', '/whatsapp')
  const known = connections.find(({ name }) => name === NAME)
  const { phoneNumberId, accountId, token, appSecret, pageUrl } = cloud
  const official = { phoneNumberId, accountId, token, appSecret, verifyToken: VERIFY_TOKEN }
  const { id } =
    known ?? (await ask<{ id: number }>('POST', '/whatsapp', { name: NAME, provider: 'official', official }))
  const { webhookPath } = await ask<{ webhookPath: string }>('GET', `/whatsapp/${id}/official`)
  const tell = (path: string, body: unknown) =>
    fetch(`${pageUrl}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  await tell('/callback', { url: `${url}${webhookPath}`, verifyToken: VERIFY_TOKEN })
  await ask('POST', `/whatsapp/${id}/official/register`, { pin: '123456' })
  await ask('POST', `/whatsapp/${id}/official/subscribe`)
  if (known) return
  const templateId = await templateOf(ask, id, 'cesta_de_natal')
  await tell('/say', { person: 'BR.5511920100001', text: 'Oi! Vocês fazem bolo de aniversário para 30 pessoas?' })
  await tell('/say', { person: 'BR.5511920100003', text: 'Boa tarde! Ainda tem sonho hoje?' })
  await sendBaskets(ask, { whatsappId: id, templateId })
}

async function templateOf(ask: Ask, whatsappId: number, name: string): Promise<number> {
  const deadline = Date.now() + WAIT_MS
  for (;;) {
    const { records } = await ask<{ records: { id: number; name: string }[] }>(
      'GET',
      `/templates?whatsappId=${whatsappId}`,
    )
    const found = records.find((template) => template.name === name)
    if (found) return found.id
    if (Date.now() > deadline) throw new Error('The templates of the official number did not come in time')
    await Bun.sleep(200)
  }
}

/** A campaign by a template to a short list, which runs at once. */
async function sendBaskets(ask: Ask, { whatsappId, templateId }: { whatsappId: number; templateId: number }) {
  const list = await ask<{ id: number }>('POST', '/contact-lists', { name: 'Quem já comprou cesta' })
  const { contacts } = await ask<{ contacts: { name: string; number: string | null; isGroup: boolean }[] }>(
    'GET',
    '/contacts?pageNumber=3',
  )
  const people = contacts.filter(({ number, isGroup }) => number && !isGroup).slice(0, REACHED)
  for (const { name, number } of people)
    await ask('POST', '/contact-list-items', { contactListId: list.id, name, number: `+${number}`, email: '' })
  const campaign = await ask<{ id: number }>('POST', '/campaigns', {
    ...{ name: 'Cestas de Natal (API oficial)', whatsappId, contactListId: list.id, templateId },
    templateValues: { 'body.1': '{nome}' },
  })
  await ask('POST', `/campaigns/${campaign.id}/start`)
}
