/** WhatsApp's official API as far as we speak to it: messages, files, numbers, tokens, and signed webhooks. On this machine. */
import { createHash, createHmac, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hookFields } from '../../../schema/whatsapps/whatsapps.cloud.inputs.ts'
import { FakeInvoice } from './invoice.ts'
import { demandMenu, pressOf } from './menus.ts'
import { type FakePast, pastAsked } from './past.ts'
import { FakeRates } from './rates.ts'
import { demandShared } from './shared.ts'
import { demandEditable, demandSent, demandTemplate, listedTemplates } from './templates.ts'
import { GraphRefusal, readMultipart, refusalOf } from './wire.ts'

/** A message of ours as its reader has it. */
export interface Received {
  wamid: string
  /** As it was asked for. */
  payload: Record<string, unknown>
  reaction: string
}

export interface FakePerson {
  number: string
  name: string
  inbox: Received[]
  /** Their id with the companies here: one portfolio's. It changes with the number. */
  userId: string
  username?: string | undefined
  /** They hide their number: it is left out, and they are written to by their id. */
  isHidden?: boolean | undefined
  /** The code with which what is written to them is refused: at once, or later as a status. */
  refuseWith?: number | undefined
  failWith?: number | undefined
}

export interface FakeApp {
  id: string
  secret: string
  callback?: { url: string; verifyToken: string } | undefined
  /** Of what it is told; all that we need where nothing is said. */
  fields?: string[]
}

export interface FakeNumber {
  id: string
  account: string
  display: string
  isRegistered: boolean
  pin?: string | undefined
  health: 'AVAILABLE' | 'LIMITED' | 'BLOCKED'
  /** What keeps it from sending. */
  errors?: { error_code: number; error_description: string; possible_solution: string }[]
  limit?: string
  /** GREEN where nothing is said. */
  quality?: 'GREEN' | 'YELLOW' | 'RED'
  level?: 'STANDARD' | 'HIGH'
  /** Of the phone that shares it (coexistence). */
  past?: FakePast | undefined
}

export interface FakeTemplate {
  id: string
  account: string
  name: string
  language: string
  category: string
  status: string
  components: Json[]
  parameter_format: string
  quality_score: { score: string }
  rejected_reason: string
  /** When it was changed while it was approved, ms since 1970. */
  edits: number[]
}

export interface FakeState {
  counter: number
  /** By account. */
  templates: [string, FakeTemplate[]][]
}

interface Token {
  app: FakeApp
  scopes: string[]
  /** Which accounts it may see. */
  accounts: string[]
  isValid: boolean
}

interface Delivery {
  url: string
  raw: string
  signature: string | null
  done: PromiseWithResolvers<number>
}

type Json = Record<string, unknown>

/** What happens to the next message that is asked for, instead of being taken and answered. */
export type Trouble =
  /** Taken, and the connection is cut before the answer. */
  | 'lost'
  /** The connection is cut before it is taken. */
  | 'cut'
  | { code: number; status?: number }

export class FakeCloudApi {
  readonly apps = new Map<string, FakeApp>()
  readonly numbers = new Map<string, FakeNumber>()
  readonly people = new Map<string, FakePerson>()
  readonly tokens = new Map<string, Token>()
  /** By account, the apps that hear of it. */
  readonly subscribed = new Map<string, Set<FakeApp>>()
  /** By account, whose it is: told to tokens that may read that. */
  readonly portfolios = new Map<string, string>()
  /** Addresses that are an account's own, by account and app. */
  readonly overrides = new Map<string, string>()
  /** What is charged for messages. */
  readonly invoice = new FakeInvoice()
  readonly files = new Map<string, { bytes: Buffer; mime: string; name: string }>()
  /** Addresses of files, good for a while. */
  private readonly addresses = new Map<string, { fileId: string; until: number }>()
  /** How many calls it has heard, of whatever kind. */
  heard = 0
  /** What was asked of a message's way, in order. */
  readonly asked: Json[] = []
  /** By account. */
  readonly templates = new Map<string, FakeTemplate[]>()
  /** What whoever looks at new ones says at once; null: they wait. */
  review: { status: string; category?: string; reason?: string; advice?: string } | null = { status: 'APPROVED' }
  /** States that a message reaches by itself. */
  statuses: ('sent' | 'delivered' | 'read')[] = ['sent', 'delivered']
  /** Messages by templates are sent to some first: what is said of those that wait. */
  pacing: 'held_for_quality_assessment' | 'paused' | null = null
  /** Ids of those that wait. */
  readonly paced: string[] = []
  /** Whether it refuses who is too fast: over a number, and to one person. */
  keepsRates = false
  private readonly rates = new FakeRates()
  /** Each webhook comes so often. */
  copies = 1
  /** Webhooks wait here instead of leaving. */
  held: (() => void)[] | null = null
  readonly troubles: Trouble[] = []
  addressMs = 300_000
  now: () => number = Date.now
  private counter = 0
  private isStopped = false
  private readonly server: Server
  url = ''

  private constructor() {
    this.server = createServer((request, response) => void this.handle(request, response))
  }

  static async open(): Promise<FakeCloudApi> {
    const fake = new FakeCloudApi()
    await new Promise<void>((resolve) => fake.server.listen(0, '127.0.0.1', resolve))
    fake.url = `http://127.0.0.1:${(fake.server.address() as AddressInfo).port}`
    return fake
  }

  async stop(): Promise<void> {
    this.isStopped = true
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }

  /** What outlives this process, and its counter, so that no id is given twice. */
  kept(): FakeState {
    return { counter: this.counter, templates: [...this.templates] }
  }

  takeUp({ counter, templates }: FakeState): void {
    this.counter = Math.max(this.counter, counter)
    for (const [account, own] of templates) this.templates.set(account, own)
  }

  // ---- what Meta's pages make

  app(): FakeApp {
    const app = { id: String(700_000 + ++this.counter), secret: randomBytes(16).toString('hex') }
    this.apps.set(app.id, app)
    return app
  }

  number(account = String(100_000 + ++this.counter)): FakeNumber {
    const id = String(900_000 + ++this.counter)
    const number: FakeNumber = {
      ...{
        id,
        account,
        display: `+55 11 3${String(1_000_000 + this.counter)}`,
        isRegistered: false,
        health: 'AVAILABLE',
      },
    }
    this.numbers.set(id, number)
    return number
  }

  token(app: FakeApp, accounts: string[], scopes = ['whatsapp_business_messaging', 'whatsapp_business_management']) {
    const token = `EAA${randomBytes(12).toString('hex')}`
    this.tokens.set(token, { app, scopes, accounts, isValid: true })
    return token
  }

  person(number = `55119${String(80_000_000 + ++this.counter)}`, name = 'Ana'): FakePerson {
    const person: FakePerson = { number, name, inbox: [], userId: `BR.${number}` }
    this.people.set(number, person)
    return person
  }

  /** As when an admin writes the address at Meta: it is asked for the challenge, and taken when it answers with that. */
  async setCallback(app: FakeApp, url: string, verifyToken: string): Promise<boolean> {
    if (!(await this.isAnswered(url, verifyToken))) return false
    app.callback = { url, verifyToken }
    return true
  }

  private async isAnswered(url: string, verifyToken: string): Promise<boolean> {
    const challenge = randomBytes(8).toString('hex')
    const query = new URLSearchParams({
      'hub.mode': 'subscribe',
      'hub.challenge': challenge,
      'hub.verify_token': verifyToken,
    })
    const answer = await fetch(`${url}?${query.toString()}`).catch(() => undefined)
    return answer?.status === 200 && (await answer.text()) === challenge
  }

  // ---- webhooks

  /** What somebody writes. @param message its type and what belongs to it; its id is made where it has none */
  async says(person: FakePerson, number: FakeNumber, message: Json): Promise<string> {
    const id = (message['id'] as string | undefined) ?? this.wamid()
    this.heardAt.set(person.number, this.now())
    const at = String(Math.floor(this.now() / 1000))
    await this.tell(number, {
      contacts: [
        {
          profile: { name: person.name, ...(person.username && { username: person.username }) },
          ...(!person.isHidden && { wa_id: person.number }),
          user_id: person.userId,
        },
      ],
      messages: [
        {
          ...(!person.isHidden && { from: person.number }),
          ...{ from_user_id: person.userId, timestamp: at, ...message, id },
        },
      ],
    })
    return id
  }

  /** Somebody gets another number, and with it another id. The apps are told once, with the numbers or without. */
  async moves(person: FakePerson, number: FakeNumber, to: string): Promise<void> {
    const { number: from, userId: previous } = person
    Object.assign(person, { number: to, userId: `BR.${to}` })
    this.people.delete(from)
    this.people.set(to, person)
    const at = String(Math.floor(this.now() / 1000))
    const ids = { user_id: person.userId, previous_user_id: previous }
    const system = person.isHidden
      ? { type: 'user_changed_user_id', ...ids }
      : { type: 'user_changed_number', body: `${person.name} changed number`, wa_id: to, ...ids }
    await this.tell(number, {
      messages: [{ ...(!person.isHidden && { from }), id: this.wamid(), timestamp: at, type: 'system', system }],
    })
  }

  /** Whoever is asked for their number gives it. */
  givesNumber(person: FakePerson, number: FakeNumber): Promise<string> {
    const { name, number: phone, userId } = person
    const phones = [{ phone: `+${phone}`, wa_id: phone, user_id: userId, type: 'CELL' }]
    return this.says(person, number, {
      type: 'contacts',
      contacts: [{ origin: 'contact_request', name: { formatted_name: name, first_name: name }, phones }],
    })
  }

  /** Somebody presses what stands on a choice, of the last menu that they got or of an older one. */
  presses(person: FakePerson, number: FakeNumber, title: string, received = person.inbox.at(-1)!): Promise<string> {
    const interactive = pressOf(received.payload['interactive'] as Json, title)
    const context = { from: number.display.replaceAll(/\D/g, ''), id: received.wamid }
    return this.says(person, number, { type: 'interactive', interactive, context })
  }

  text(person: FakePerson, number: FakeNumber, body: string, more: Json = {}): Promise<string> {
    return this.says(person, number, { type: 'text', text: { body }, ...more })
  }

  /** Tells the apps of a number's account, as one change. @returns the statuses that they answered at the first try */
  tell(number: FakeNumber, value: Json, field = 'messages'): Promise<number[]> {
    const metadata = { display_phone_number: number.display.replaceAll(/\D/g, ''), phone_number_id: number.id }
    return this.post(number.account, [{ field, value: { messaging_product: 'whatsapp', metadata, ...value } }])
  }

  post(account: string, changes: Json[]): Promise<number[]> {
    const body = { object: 'whatsapp_business_account', entry: [{ id: account, changes }] }
    const apps = [...(this.subscribed.get(account) ?? [])].filter((app) => this.addressOf(account, app))
    return Promise.all(apps.flatMap((app) => Array.from({ length: this.copies }, () => this.deliver(app, body))))
  }

  /**
   * Who shares the account ends it, as on the phone under "Business Platform": the app is told once, below its owner's id, and
   * reaches the account no more.
   */
  async ends(account: string): Promise<void> {
    const apps = [...(this.subscribed.get(account) ?? [])]
    const value = { event: 'PARTNER_REMOVED', waba_info: { waba_id: account, owner_business_id: '2329417887457253' } }
    const changes = [{ field: 'account_update', value }]
    const body = { object: 'whatsapp_business_account', entry: [{ id: '2949482758682047', changes }] }
    await Promise.all(apps.map((app) => this.deliver(app, body)))
    this.subscribed.delete(account)
    for (const token of this.tokens.values()) token.accounts = token.accounts.filter((own) => own !== account)
  }

  /** What is told of a number itself, as one change of its account. */
  tellOfNumber({ account, display }: FakeNumber, field: string, value: Json): Promise<number[]> {
    return this.post(account, [{ field, value: { display_phone_number: display.replaceAll(/\D/g, ''), ...value } }])
  }

  private addressOf = (account: string, { id, callback }: FakeApp) =>
    this.overrides.get(`${account}/${id}`) ?? callback?.url

  deliver(app: FakeApp, body: unknown, sign: (raw: string) => string | null = (raw) => signatureOf(app.secret, raw)) {
    const raw = escaped(body)
    const account = (body as { entry?: { id: string }[] } | null)?.entry?.[0]?.id ?? ''
    const url = this.addressOf(account, app)!
    const delivery: Delivery = { url, raw, signature: sign(raw), done: Promise.withResolvers() }
    if (this.held) this.held.push(() => void this.attempt(delivery))
    else void this.attempt(delivery)
    return delivery.done.promise
  }

  /** What was held leaves, in any order. */
  release(order: (waiting: (() => void)[]) => (() => void)[] = (waiting) => waiting): void {
    const waiting = this.held ?? []
    this.held = null
    for (const leave of order(waiting)) leave()
  }

  /** Tried again until it is taken, as for days. */
  private async attempt({ url, raw, signature, done }: Delivery): Promise<void> {
    for (let pause = 20; !this.isStopped; pause = Math.min(pause * 2, 200)) {
      const status = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(signature !== null && { 'x-hub-signature-256': signature }),
        },
        body: raw,
      }).then(
        (answer) => answer.status,
        () => 0,
      )
      done.resolve(status)
      if (status === 200 || signature === null) {
        for (const id of idsIn(raw)) this.confirmed.add(id)
        return
      }
      this.refusedHooks++
      await Bun.sleep(pause)
    }
  }

  /** How often a webhook was not taken. */
  refusedHooks = 0
  /** The messages of people that were taken. */
  readonly confirmed = new Set<string>()

  /** A state of a message of ours, told as the service tells it. */
  status(number: FakeNumber, wamid: string, status: string, more: Json = {}): Promise<number[]> {
    const sent = this.sent.get(wamid)
    const at = String(Math.floor(this.now() / 1000))
    const callback = sent?.callback
    const told = {
      id: wamid,
      status,
      timestamp: at,
      ...(sent?.to !== undefined && { recipient_id: sent.to }),
      ...(status !== 'failed' && { recipient_user_id: sent?.userId }),
      ...(callback && { biz_opaque_callback_data: callback }),
      ...this.pricing(number, wamid, status),
    }
    return this.tell(number, { statuses: [{ ...told, ...more }] })
  }

  /** Where it keeps the window, who has not written for a day gets nothing but templates. */
  keepsWindow = false
  private readonly heardAt = new Map<string, number>()
  private isClosed({ number }: FakePerson): boolean {
    return this.keepsWindow && this.now() - (this.heardAt.get(number) ?? 0) > 86_400_000
  }

  /** Comes with `sent`, and with the first state that says that it was delivered. */
  private pricing(number: FakeNumber, wamid: string, status: string): Json {
    const sent = this.sent.get(wamid)
    if (!sent || sent.category === null) return {}
    if (status === 'sent') return { pricing: this.invoice.expected(number.id, sent.category, this.now()) }
    if (status === 'failed' || this.invoice.lines.has(wamid)) return {}
    return { pricing: this.invoice.delivered(number.id, wamid, sent.category, this.now()) }
  }

  private readonly sent = new Map<
    string,
    { to: string | undefined; userId: string; callback: string | undefined; category: string | null }
  >()

  private wamid(): string {
    return `wamid.${Buffer.from(`${++this.counter}/${randomBytes(18).toString('hex')}`).toString('base64')}`
  }

  // ---- the Graph

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.heard++
    const parts: Buffer[] = []
    try {
      for await (const part of request) parts.push(part as Buffer)
      const answer = await this.answer(request, Buffer.concat(parts))
      if (answer === 'cut') request.socket.destroy()
      else if (answer instanceof Uint8Array) response.writeHead(200).end(answer)
      else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    } catch (error) {
      const { status, body } = refusalOf(error)
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
  }

  private async answer(request: IncomingMessage, raw: Buffer): Promise<Json | Uint8Array | 'cut'> {
    const { pathname, searchParams } = new URL(request.url ?? '/', this.url)
    const given = /^(?:Bearer|OAuth) (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
    const ofApp = /^(\d+)\|(.+)$/.exec(given)
    if (ofApp) return this.ofApp(ofApp[1]!, ofApp[2]!, pathname.endsWith('/subscriptions'))
    const token = this.tokens.get(given)
    if (!token?.isValid) throw new GraphRefusal(190, 401, 'Error validating access token')
    if (pathname.startsWith('/lookaside/')) return this.download(pathname.slice('/lookaside/'.length))
    const [, version = '', id = '', edge = ''] = pathname.split('/')
    if (!/^v\d+\.0$/.test(version)) throw new GraphRefusal(2500, 400, 'Unknown path components')
    if (id === 'debug_token') return { data: this.describe(searchParams.get('input_token') ?? '') }
    const method = request.method ?? 'GET'
    const number = this.numbers.get(id)
    if (number) {
      this.demand(token, number.account)
      return this.ofNumber(number, method, edge, raw, request)
    }
    if (edge === 'subscribed_apps')
      return this.subscriptions(token, id, method, JSON.parse(raw.toString() || '{}') as Json)
    if (edge === '' && method === 'GET' && [...this.numbers.values()].some(({ account }) => account === id)) {
      this.demand(token, id, 'business_management')
      const owner = this.portfolios.get(id)
      return { id, ...(owner !== undefined && { owner_business_info: { id: owner, name: 'Padaria Sol Ltda.' } }) }
    }
    if (edge === 'message_templates') {
      this.demand(token, id, 'whatsapp_business_management')
      if (method === 'GET') return listedTemplates(this.templates.get(id) ?? [], searchParams)
      if (method === 'DELETE') return this.dropTemplate(id, searchParams)
      return this.makeTemplate(id, JSON.parse(raw.toString() || '{}') as Json)
    }
    if (edge === 'uploads' || id.startsWith('upload:')) return this.upload(token, id, edge, raw, request)
    const template = [...this.templates.values()].flat().find((one) => one.id === id)
    if (template && method === 'POST') {
      this.demand(token, template.account, 'whatsapp_business_management')
      return this.editTemplate(template, JSON.parse(raw.toString() || '{}') as Json)
    }
    if (this.files.has(id)) return this.fileOf(id)
    throw new GraphRefusal(100, 400, `Object with ID '${id}' does not exist`)
  }

  // ---- templates

  /** One that is there already, looked at and good. */
  template(account: string, given: Partial<FakeTemplate> & { name: string; components: Json[] }): FakeTemplate {
    const template: FakeTemplate = {
      ...{ id: String(300_000 + ++this.counter), account, language: 'pt_BR', category: 'UTILITY', status: 'APPROVED' },
      ...{
        parameter_format: 'POSITIONAL',
        quality_score: { score: 'UNKNOWN' },
        rejected_reason: 'NONE',
        edits: [],
        ...given,
      },
    }
    this.templates.set(account, [...(this.templates.get(account) ?? []), template])
    return template
  }

  private makeTemplate(account: string, body: Json): Json {
    demandTemplate(body, this.templates.get(account) ?? [], this.handles)
    const { name, language, category, components, parameter_format } = body as unknown as FakeTemplate
    const template = this.template(account, {
      name,
      language,
      category,
      components,
      parameter_format,
      status: 'PENDING',
    })
    const { review } = this
    // What is found to be marketing is made as that at once.
    if (review?.category) template.category = review.category
    if (review) void this.reviewed(template, review.status, { reason: review.reason ?? 'NONE', advice: review.advice })
    return { id: template.id, status: review ? template.status : 'PENDING', category: template.category }
  }

  /** Handles of examples that were brought. */
  readonly handles = new Set<string>()
  private readonly uploads = new Map<string, number>()

  /** The upload of an example: begun at the app, with its length; then its bytes. */
  private upload(token: Token, id: string, edge: string, raw: Buffer, request: IncomingMessage): Json {
    if (edge === 'uploads') {
      if (token.app.id !== id) throw new GraphRefusal(100, 400, 'not the app of this token')
      const length = Number(new URL(request.url ?? '/', this.url).searchParams.get('file_length'))
      const session = `upload:${randomBytes(8).toString('hex')}`
      this.uploads.set(session, length)
      return { id: session }
    }
    if (!request.headers.authorization?.startsWith('OAuth ')) throw new GraphRefusal(190, 401, 'OAuth is wanted')
    if (this.uploads.get(id) !== raw.length || request.headers['file_offset'] !== '0')
      throw new GraphRefusal(100, 400, 'the file is not of that length')
    const handle = `4::${randomBytes(12).toString('base64')}`
    this.handles.add(handle)
    return { h: handle }
  }

  private editTemplate(template: FakeTemplate, body: Json): Json {
    demandEditable(template, this.now())
    const { name, language, account } = template
    const others = (this.templates.get(account) ?? []).filter((one) => one !== template)
    demandTemplate({ ...template, ...body, name, language } as unknown as Json, others, this.handles)
    if (template.status === 'APPROVED') {
      if (body['category'] !== undefined && body['category'] !== template.category)
        throw new GraphRefusal(100, 400, 'The category of an approved template cannot be changed')
      template.edits.push(this.now())
    }
    Object.assign(template, { ...body, status: 'PENDING' })
    const { review } = this
    if (review) void this.reviewed(template, review.status, { reason: review.reason ?? 'NONE', advice: review.advice })
    return { success: true }
  }

  /** Somebody, or something, has looked at it: APPROVED, REJECTED, PAUSED, DISABLED, FLAGGED, REINSTATED. */
  reviewed(template: FakeTemplate, event: string, more: { reason?: string; advice?: string | undefined } = {}) {
    const { reason = 'NONE', advice } = more
    template.status = event === 'REINSTATED' || event === 'FLAGGED' ? 'APPROVED' : event
    template.rejected_reason = event === 'REJECTED' ? reason : 'NONE'
    const info = advice && { rejection_info: { reason, recommendation: advice } }
    return this.tellTemplate(template, 'message_template_status_update', { event, reason, ...info })
  }

  /** As of now it is `category`; or, with `inFuture`, it will be. */
  recategorised(template: FakeTemplate, category: string, { inFuture = false } = {}) {
    const before = template.category
    const value = inFuture
      ? { new_category: before, correct_category: category, category_update_timestamp: Math.floor(this.now() / 1000) }
      : { previous_category: before, new_category: category }
    if (!inFuture) template.category = category
    return this.tellTemplate(template, 'template_category_update', value)
  }

  rated(template: FakeTemplate, score: 'GREEN' | 'YELLOW' | 'RED') {
    const previous = template.quality_score.score
    template.quality_score = { score }
    const value = { previous_quality_score: previous, new_quality_score: score }
    return this.tellTemplate(template, 'message_template_quality_update', value)
  }

  private tellTemplate({ id, name, language, account }: FakeTemplate, field: string, value: Json) {
    const named = {
      message_template_id: Number(id),
      message_template_name: name,
      message_template_language: language,
    }
    return this.post(account, [{ field, value: { ...value, ...named } }])
  }

  private dropTemplate(account: string, asked: URLSearchParams): Json {
    const kept = (this.templates.get(account) ?? []).filter(
      ({ id, name }) => name !== asked.get('name') || (asked.has('hsm_id') && id !== asked.get('hsm_id')),
    )
    if (kept.length === this.templates.get(account)?.length)
      throw new GraphRefusal(100, 404, 'Message template was not found', 2593002)
    this.templates.set(account, kept)
    return { success: true }
  }

  private demand(token: Token, account: string, scope = 'whatsapp_business_messaging'): void {
    if (!token.accounts.includes(account)) throw new GraphRefusal(100, 400, 'missing permissions or does not exist')
    if (!token.scopes.includes(scope)) throw new GraphRefusal(200, 403, `(#200) needs ${scope}`)
  }

  /** What an app says of itself to who has its secret. */
  private ofApp(id: string, secret: string, isAboutHooks: boolean): Json {
    const app = this.apps.get(id)
    if (app?.secret !== secret) throw new GraphRefusal(1, 400, 'Error validating client secret.')
    if (!isAboutHooks) return { id }
    const fields = (app.fields ?? hookFields(true)).map((name) => ({ name, version: 'v26.0' }))
    const object = 'whatsapp_business_account'
    return { data: app.callback ? [{ object, callback_url: app.callback.url, active: true, fields }] : [] }
  }

  private describe(input: string): Json {
    const token = this.tokens.get(input)
    if (!token) return { is_valid: false, error: { code: 190, message: 'Invalid token' }, scopes: [] }
    const granular = token.scopes.map((scope) => ({ scope, target_ids: token.accounts }))
    return {
      app_id: token.app.id,
      type: 'SYSTEM_USER',
      is_valid: token.isValid,
      scopes: token.scopes,
      granular_scopes: granular,
    }
  }

  private async subscriptions(token: Token, account: string, method: string, body: Json): Promise<Json> {
    this.demand(token, account, 'whatsapp_business_management')
    const apps = this.subscribed.get(account) ?? new Set()
    this.subscribed.set(account, apps)
    const key = `${account}/${token.app.id}`
    if (method === 'POST') {
      const url = body['override_callback_uri']
      if (typeof url === 'string' && !(await this.isAnswered(url, String(body['verify_token']))))
        throw new GraphRefusal(100, 400, 'Override callback verification failed')
      if (typeof url === 'string') this.overrides.set(key, url)
      else this.overrides.delete(key)
      apps.add(token.app)
    }
    if (method === 'DELETE') apps.delete(token.app)
    if (method !== 'GET') return { success: true }
    return {
      data: [...apps].map(({ id }) => {
        const url = this.overrides.get(`${account}/${id}`)
        return { whatsapp_business_api_data: { id, name: 'app' }, ...(url && { override_callback_uri: url }) }
      }),
    }
  }

  private async ofNumber(number: FakeNumber, method: string, edge: string, raw: Buffer, request: IncomingMessage) {
    if (method === 'GET' && edge === '') {
      const asked = new URL(request.url ?? '/', this.url).searchParams.get('fields')?.split(',') ?? []
      const all = this.describeNumber(number)
      return Object.fromEntries(Object.entries(all).filter(([name]) => name === 'id' || asked.includes(name)))
    }
    if (edge === 'media') {
      const { fields, file } = readMultipart(raw, request.headers['content-type'] ?? '')
      if (fields['messaging_product'] !== 'whatsapp' || !file) throw new GraphRefusal(100, 400, 'Invalid parameter')
      const id = String(500_000 + ++this.counter)
      this.files.set(id, { bytes: file.bytes, mime: fields['type'] ?? file.type, name: file.name })
      return { id }
    }
    const body = JSON.parse(raw.toString() || '{}') as Json
    if (body['messaging_product'] !== 'whatsapp') throw new GraphRefusal(100, 400, 'messaging_product is required')
    if (edge === 'register') {
      if (!/^\d{6}$/.test(String(body['pin']))) throw new GraphRefusal(100, 400, 'pin')
      if (number.pin !== undefined && number.pin !== body['pin']) throw new GraphRefusal(133005, 400, 'PIN mismatch')
      Object.assign(number, { pin: body['pin'], isRegistered: true })
      return { success: true }
    }
    if (edge === 'smb_app_data') return this.tellPast(number, body)
    if (edge === 'messages') return this.message(number, body)
    throw new GraphRefusal(100, 400, 'Unsupported request')
  }

  /** The past of the phone is told after the answer, as one webhook after the other. */
  private tellPast(number: FakeNumber, body: Json): Json {
    if (!number.past) throw new GraphRefusal(100, 400, 'The number is not used in the Business app')
    for (const [field, value] of pastAsked(number.past, body, number.display.replaceAll(/\D/g, '')))
      void this.tell(number, value, field)
    return { messaging_product: 'whatsapp', request_id: randomBytes(8).toString('hex') }
  }

  private describeNumber({ id, display, health, account, errors, limit, level, quality }: FakeNumber): Json {
    return {
      ...{
        id,
        display_phone_number: display,
        verified_name: 'Padaria',
        quality_rating: quality ?? 'GREEN',
        platform_type: 'CLOUD_API',
      },
      throughput: { level: level ?? 'STANDARD' },
      whatsapp_business_manager_messaging_limit: limit ?? 'TIER_250',
      health_status: {
        can_send_message: health,
        entities: [
          { entity_type: 'PHONE_NUMBER', id, can_send_message: health, ...(errors && { errors }) },
          { entity_type: 'WABA', id: account, can_send_message: 'AVAILABLE' },
        ],
      },
    }
  }

  private message(number: FakeNumber, body: Json): Json | 'cut' {
    this.asked.push(body)
    if (body['status'] === 'read') return { success: true }
    const trouble = this.troubles.shift()
    if (trouble === 'cut') return 'cut'
    if (typeof trouble === 'object') throw new GraphRefusal(trouble.code, trouble.status ?? 400, 'trouble')
    const to = String(body['to'] ?? '').replaceAll(/\D/g, '')
    const named = [...this.people.values()].find(({ userId }) => userId === body['recipient'])
    // Whoever is named in both ways is reached by their number.
    if (to === '' && !named) throw new GraphRefusal(100, 400, 'The parameter to is required')
    const person = to === '' ? named! : (this.people.get(to) ?? this.person(to))
    if (body['type'] === 'template')
      demandSent(body['template'] as Json, this.templates.get(number.account) ?? [], (id) => this.files.has(id))
    else if (this.isClosed(person)) throw new GraphRefusal(131047, 400, 'Re-engagement message')
    if (body['type'] === 'interactive') demandMenu(body['interactive'] as Json)
    demandShared(body)
    if (person.refuseWith) throw new GraphRefusal(person.refuseWith, 400, 'refused')
    if (this.keepsRates) this.rates.demand(number.id, person.userId, this.now(), number.past ? 20 : 80)
    const status = body['type'] === 'template' ? (this.pacing ?? 'accepted') : undefined
    const wamid = this.take(number, person, body, status !== undefined && status !== 'accepted')
    if (trouble === 'lost') return 'cut'
    return {
      messaging_product: 'whatsapp',
      contacts: [
        { input: body['to'] ?? body['recipient'], ...(to !== '' && { wa_id: person.number }), user_id: person.userId },
      ],
      messages: [{ id: wamid, ...(status && { message_status: status }) }],
    }
  }

  /** It is on its way: its reader has it, and its states are told. */
  private take(number: FakeNumber, person: FakePerson, body: Json, isPaced: boolean): string {
    const wamid = this.wamid()
    const callback = body['biz_opaque_callback_data'] as string | undefined
    const name = (body['template'] as { name?: string } | undefined)?.name
    const template = this.templates.get(number.account)?.find((one) => one.name === name)
    // What is no template is an answer in the window.
    const category = template ? template.category.toLowerCase() : 'service'
    // Nobody is charged for a reaction.
    const to = person.isHidden && body['to'] === undefined ? undefined : person.number
    this.sent.set(wamid, {
      to,
      userId: person.userId,
      callback,
      category: body['type'] === 'reaction' ? null : category,
    })
    if (isPaced) {
      this.paced.push(wamid)
      this.waiting.set(wamid, () => this.arrives(number, person, wamid, body))
      return wamid
    }
    this.arrives(number, person, wamid, body)
    return wamid
  }

  private readonly waiting = new Map<string, () => void>()
  /** What waited goes on, or is dropped because people did not like the first of them. */
  judged(number: FakeNumber, isGood: boolean): void {
    this.pacing = null
    for (const wamid of this.paced.splice(0)) {
      const arrives = this.waiting.get(wamid)!
      this.waiting.delete(wamid)
      const errors = [{ code: 132015, title: 'Template is paused', error_data: { details: 'paused' } }]
      if (isGood) arrives()
      else void this.status(number, wamid, 'failed', { errors })
    }
  }

  private arrives(number: FakeNumber, person: FakePerson, wamid: string, body: Json): void {
    if (person.failWith) {
      const errors = [{ code: person.failWith, title: 'failed', error_data: { details: 'failed' } }]
      void this.status(number, wamid, 'failed', { errors })
      return
    }
    if (body['type'] === 'reaction') {
      const { message_id: about, emoji } = body['reaction'] as { message_id: string; emoji: string }
      const one = person.inbox.find((received) => received.wamid === about)
      if (one) one.reaction = emoji
      void this.status(number, wamid, 'sent')
      return
    }
    person.inbox.push({ wamid, payload: body, reaction: '' })
    for (const status of this.statuses) void this.status(number, wamid, status)
  }

  /** A file that somebody sends. */
  file(bytes: Buffer, mime: string): { id: string; mime_type: string; sha256: string } {
    const id = String(500_000 + ++this.counter)
    this.files.set(id, { bytes, mime, name: '' })
    return { id, mime_type: mime, sha256: createHash('sha256').update(bytes).digest('base64') }
  }

  private fileOf(id: string): Json {
    const { bytes, mime } = this.files.get(id)!
    const address = randomBytes(8).toString('hex')
    this.addresses.set(address, { fileId: id, until: this.now() + this.addressMs })
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    return {
      id,
      messaging_product: 'whatsapp',
      url: `${this.url}/lookaside/${address}`,
      mime_type: mime,
      sha256,
      file_size: bytes.length,
    }
  }

  private download(address: string): Uint8Array {
    const known = this.addresses.get(address)
    if (!known || known.until < this.now()) throw new GraphRefusal(100, 404, 'The media is gone')
    return this.files.get(known.fileId)!.bytes
  }
}

/** As Meta writes its bodies: whatever is not ASCII is escaped. */
export const escaped = (body: unknown): string =>
  JSON.stringify(body).replaceAll(/[\u0080-\uffff]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)

export const signatureOf = (secret: string, raw: string): string =>
  `sha256=${createHmac('sha256', secret).update(raw).digest('hex')}`

const idsIn = (raw: string): string[] => [...raw.matchAll(/"id":"(wamid\.[^"]+)"/g)].map(([, id]) => id!)
