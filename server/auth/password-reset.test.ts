import type { Language } from '../../schema/languages.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { jobs } from '../../schema/jobs/jobs.table.ts'
import { passwordResets } from '../../schema/users/password-resets.table.ts'
import { examples } from '../../tests/example-data.ts'
import { fakeMailServer } from '../../tests/fakes/mail/mail-server.ts'
import { PASSWORD, type TestApp, testApp } from '../../tests/support/app.ts'
import type { Config } from '../config.ts'
import { pathOf } from '../http/errors.ts'
import { sweepJobs } from '../jobs/sweep.ts'
import { type JobWorker, startJobWorker } from '../jobs/worker.ts'
import { createMailer, type Mailer } from '../mail/mailer.ts'
import { CODE_TRIES, MOST_CODES } from './password-reset.codes.ts'
import { passwordResetEffects } from './password-reset.effects.ts'
import { keepCode } from './password-reset.writes.ts'
import { REPLY_MS } from './password-reset.routes.ts'
import { hashPassword } from './passwords.ts'

let server: Awaited<ReturnType<typeof fakeMailServer>>
let t: TestApp
let mailer: Mailer
let worker: JobWorker

beforeAll(async () => {
  const auth = { user: 'balcao', password: 'correio' }
  server = await fakeMailServer({ auth })
  const mail: NonNullable<Config['mail']> = {
    host: '127.0.0.1',
    port: server.port,
    ...auth,
    from: 'Balcão <balcao@example.test>',
  }
  t = await testApp({ mail, publicUrl: 'https://balcao.example.test' })
  mailer = createMailer(mail)
  worker = startJobWorker({
    sql: t.database.sql,
    log: t.deps.log,
    handlers: passwordResetEffects({
      db: t.database.db,
      mailer,
      hashOf: t.deps.tokens.hashOf,
      publicUrl: 'https://balcao.example.test',
      now: () => t.clock.now,
    }) as never,
    openConnections: () => [],
    pollMs: 20,
  })
})
afterAll(async () => {
  await worker.stop()
  mailer.stop()
  await t.close()
  await server.stop()
})
beforeEach(() => {
  server.received.length = 0
})

const someone = async (language: Language = 'pt') => {
  const eg = examples(t.database.db)
  const company = await eg.company({ language })
  return eg.user(company.id, { passwordHash: await hashPassword(PASSWORD) })
}
const ask = (email: string) => t.call('POST', `/forgetpassword/${encodeURIComponent(email)}`)
const reset = (email: string, token: string, newPassword = 'Novissima1') =>
  t.call('POST', '/resetpasswords', { body: { email, token, newPassword } })

async function until<T>(look: () => T | undefined | Promise<T | undefined>): Promise<T> {
  const deadline = Date.now() + 10_000
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    if (Date.now() > deadline) throw new Error('it did not happen')
    await Bun.sleep(10)
  }
}
const letterTo = (email: string) => until(() => server.received.findLast(({ to }) => to.includes(email)))
const codeIn = (text: string) => /\b[A-Z2-9]{4}-[A-Z2-9]{4}\b/.exec(text)![0]
const codeFor = async (email: string) => {
  await ask(email)
  return codeIn((await letterTo(email)).text)
}

describe('who forgot the password', () => {
  test('gets a code by mail, sets another password with it, and enters with that one only', async () => {
    const { email, id } = await someone()
    const token = await t.login(email)
    expect((await ask(email.toUpperCase())).body).toEqual({ status: 200 })
    const letter = await letterTo(email)
    expect(letter.from).toBe('balcao@example.test')
    expect(letter.headers).toMatchObject({
      from: 'Balcão <balcao@example.test>',
      subject: 'Código para redefinir sua senha',
    })
    expect(letter.text).toContain('https://balcao.example.test/forgetpsw')

    expect(await reset(email, codeIn(letter.text))).toMatchObject({ status: 200, body: {} })
    expect((await t.call('POST', '/auth/login', { body: { email, password: PASSWORD } })).status).toBe(401)
    // Whoever was logged in is out.
    expect((await t.call('GET', '/auth/me', { token })).status).toBe(401)
    expect(t.emitted.findLast(({ name }) => name === 'auth')).toMatchObject({
      action: 'logout',
      audience: { userId: id },
    })
    expect(await t.login(email, 'Novissima1')).toBeString()
  })

  test('types the code in small letters and without the line, and may enter after too many wrong passwords', async () => {
    const { email } = await someone()
    for (let i = 0; i < 9; i++) await t.call('POST', '/auth/login', { body: { email, password: 'errada' } })
    expect((await t.call('POST', '/auth/login', { body: { email, password: PASSWORD } })).status).toBe(429)
    const code = await codeFor(email)
    expect((await reset(email, code.toLowerCase().replace('-', ' '))).status).toBe(200)
    expect(await t.login(email, 'Novissima1')).toBeString()
  })

  test('reads the mail in the language of the company', async () => {
    const { email } = await someone('es')
    await ask(email)
    expect((await letterTo(email)).headers['subject']).toBe('Código para restablecer tu contraseña')
  })

  test('uses older clients, too, whose path is never written into a log', async () => {
    const { email } = await someone()
    const path = `/resetpasswords/${encodeURIComponent(email)}/${await codeFor(email)}/Novissima1`
    expect(pathOf(new Request(`http://localhost${path}`))).toBe('/resetpasswords/…')
    expect((await t.call('POST', path)).status).toBe(200)
    expect(await t.login(email, 'Novissima1')).toBeString()
  })
})

describe('a code', () => {
  const refusal = { status: 400, body: { error: 'ERR_RESET_CODE' } }

  test('works once', async () => {
    const { email } = await someone()
    const code = await codeFor(email)
    const both = await Promise.all([reset(email, code), reset(email, code, 'Outra1234')])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
    expect(await reset(email, code)).toMatchObject(refusal)
  })

  test('works for half an hour', async () => {
    const { email } = await someone()
    const code = await codeFor(email)
    t.clock.advance(30 * 60_000)
    expect(await reset(email, code)).toMatchObject(refusal)
  })

  test('stays good while others are asked for, and the use of one makes all worthless', async () => {
    const { email } = await someone()
    const first = await codeFor(email)
    server.received.length = 0
    const second = await codeFor(email)
    expect((await reset(email, first)).status).toBe(200)
    expect(await reset(email, second)).toMatchObject(refusal)
  })

  test('is worth nothing to somebody else, and the same is said to those without an account', async () => {
    const { email } = await someone()
    const other = await someone()
    const code = await codeFor(email)
    expect(await reset(other.email, code)).toMatchObject(refusal)
    expect(await reset('ninguem@example.test', code)).toMatchObject(refusal)
  })

  const resetFrom = (address: string, email: string, token: string) => {
    const body = { email, token, newPassword: 'Novissima1' }
    return t.call('POST', '/resetpasswords', { body, headers: { 'x-forwarded-for': address } })
  }

  test('cannot be guessed: whoever tries ten has to wait; the person, who is elsewhere, need not', async () => {
    const { email } = await someone()
    const code = await codeFor(email)
    for (let i = 0; i < 10; i++) expect(await resetFrom('203.0.113.1', email, 'AAAA-AAAA')).toMatchObject(refusal)
    expect((await resetFrom('203.0.113.1', email, code)).status).toBe(429)
    expect((await resetFrom('203.0.113.2', email, code)).status).toBe(200)
  })

  test('that many places together have tried too often is refused, and another may be had', async () => {
    const { email, id } = await someone()
    const code = await codeFor(email)
    const tried = t.database.db.update(passwordResets).set({ tries: CODE_TRIES - 1 })
    await tried.where(eq(passwordResets.userId, id))
    expect(await resetFrom('203.0.113.3', email, 'AAAA-AAAA')).toMatchObject(refusal)
    expect(await resetFrom('203.0.113.4', email, code)).toMatchObject(refusal)
    server.received.length = 0
    expect((await resetFrom('203.0.113.4', email, await codeFor(email))).status).toBe(200)
  })

  test('stands in no row: neither where it is kept nor in the job that sends it', async () => {
    const { email, id } = await someone()
    server.refuseNext(451)
    await ask(email)
    const waiting = await until(async () => {
      const [job] = await t.database.db.select().from(jobs).where(eq(jobs.kind, 'mail.passwordReset'))
      return job?.lastError ? job : undefined
    })
    expect(waiting.payload).toEqual({ userId: id })
    // What fails for now is tried again.
    const code = codeIn((await letterTo(email)).text)
    const [kept] = await t.database.db.select().from(passwordResets).where(eq(passwordResets.userId, id))
    expect(JSON.stringify(kept)).not.toContain(code.slice(0, 4))
    expect((await reset(email, code)).status).toBe(200)
  }, 20_000)
})

test('a password that is easy to guess is refused, and the code stays good', async () => {
  const { email } = await someone()
  const code = await codeFor(email)
  for (const weak of ['Curta1', 'semmaiuscula1', 'SEMMINUSCULA1', 'SemNumero'])
    expect((await reset(email, code, weak)).body.error).toBe('ERR_VALIDATION')
  expect((await reset(email, code)).status).toBe(200)
})

test('an unknown e-mail is told so, in the time that a known one takes', async () => {
  const { email } = await someone()
  const timed = async (address: string) => {
    const start = performance.now()
    const { body } = await ask(address)
    return { body, ms: performance.now() - start }
  }
  const [known, unknown] = [await timed(email), await timed('ninguem@example.test')]
  expect([known.body, unknown.body]).toEqual([{ status: 200 }, { status: 404 }])
  for (const { ms } of [known, unknown]) {
    expect(ms).toBeGreaterThanOrEqual(REPLY_MS - 2)
    expect(ms).toBeLessThan(REPLY_MS + 400)
  }
})

test('an address that the mail server refuses for good is not tried again', async () => {
  const { email, id } = await someone()
  server.refuseNext(550)
  await ask(email)
  const failed = await until(async () => {
    const found = await t.database.db.select().from(jobs).where(eq(jobs.kind, 'mail.passwordReset'))
    return found.find(({ payload, failedAt }) => payload['userId'] === id && failedAt)
  })
  expect(failed).toMatchObject({ attempts: 1, lastError: 'the mail server refuses the address (550)' })
})

test('codes for one e-mail may not be asked for without end from one place, and another place may ask', async () => {
  const { email } = await someone()
  const askFrom = (address: string) =>
    t.call('POST', `/forgetpassword/${email}`, { headers: { 'x-forwarded-for': address } })
  for (let i = 0; i < 4; i++) expect((await askFrom('203.0.113.30')).status).toBe(200)
  expect(await askFrom('203.0.113.30')).toMatchObject({ status: 429, body: { error: 'ERR_TOO_MANY_ATTEMPTS' } })
  expect((await askFrom('203.0.113.31')).body).toEqual({ status: 200 })
})

test('strangers who ask for codes fill no mailbox, and the code that came last is good', async () => {
  const { email, id } = await someone()
  for (let i = 0; i < MOST_CODES + 4; i++) {
    const headers = { 'x-forwarded-for': `203.0.113.${40 + i}` }
    expect((await t.call('POST', `/forgetpassword/${email}`, { headers })).body).toEqual({ status: 200 })
    // One that is asked for while another waits to be sent is the same letter.
    await until(async () => {
      const left = await t.database.db.select().from(jobs).where(eq(jobs.kind, 'mail.passwordReset'))
      return left.some(({ payload, failedAt }) => payload['userId'] === id && !failedAt) ? undefined : true
    })
  }
  const letters = server.received.filter(({ to }) => to.includes(email))
  expect(letters).toHaveLength(MOST_CODES)
  expect((await reset(email, codeIn(letters.at(-1)!.text))).status).toBe(200)
})

test('e-mails that nobody has may not be looked for without end', async () => {
  const headers = { 'x-forwarded-for': '203.0.113.60' }
  const look = (i: number) => t.call('POST', `/forgetpassword/nobody${i}@example.test`, { headers })
  for (let i = 0; i < 20; i++) expect((await look(i)).body).toEqual({ status: 404 })
  expect((await look(20)).status).toBe(429)
  t.clock.advance(11 * 60_000)
  expect((await look(20)).status).toBe(429)
}, 20_000)

test('where no mail server is configured, that is said, and nothing waits to be sent', async () => {
  const without = await testApp()
  try {
    expect((await without.call('GET', '/forgetpassword')).body).toEqual({ enabled: false })
    expect((await t.call('GET', '/forgetpassword')).body).toEqual({ enabled: true })
    const eg = examples(without.database.db)
    const { email } = await eg.user((await eg.company()).id)
    expect(await without.call('POST', `/forgetpassword/${email}`)).toMatchObject({
      status: 400,
      body: { error: 'ERR_NO_MAIL' },
    })
    expect(await without.database.db.$count(jobs)).toBe(0)
  } finally {
    await without.close()
  }
})

test('a mail server that does not let us in is a failure of the job, which is tried again', async () => {
  const wrong = createMailer({
    host: '127.0.0.1',
    port: server.port,
    user: 'balcao',
    password: 'outra',
    from: 'balcao@example.test',
  })
  try {
    await expect(wrong.send({ to: 'ana@example.test', subject: 'x', text: 'x' })).rejects.toMatchObject({
      code: 'EAUTH',
    })
    expect(server.received).toEqual([])
  } finally {
    wrong.stop()
  }
})

test('codes that ran out are swept, those that are good stay', async () => {
  const { db, sql } = t.database
  await db.delete(passwordResets)
  const [late, early] = [await someone(), await someone()]
  const keep = ({ id, companyId }: typeof late, ms: number) =>
    keepCode(db, { userId: id, companyId, codeHash: 'x', expiresAt: new Date(Date.now() + ms) }, new Date())
  await keep(late, -1_000)
  await keep(early, 60_000)
  await sweepJobs(sql)
  expect((await db.select().from(passwordResets)).map(({ userId }) => userId)).toEqual([early.id])
})

describe('who is invited', () => {
  const invite = async (body: object = {}) => {
    const company = await examples(t.database.db).company()
    const passwordHash = await hashPassword(PASSWORD)
    const admin = await examples(t.database.db).user(company.id, { profile: 'admin', passwordHash })
    const email = `convidada-${company.id}@example.test`
    const token = await t.login(admin.email)
    const answer = await t.call('POST', '/users', { token, body: { name: 'Nina', email, ...body } })
    return { email, answer, token }
  }

  test('chooses their own password by a link, which opens once; nobody invents one for them', async () => {
    const { email, answer, token } = await invite()
    expect([answer.status, answer.body.invitation.mailed]).toEqual([200, true])
    const { code } = answer.body.invitation
    expect(code).toMatch(/^([A-Z2-9]{4}-){3}[A-Z2-9]{4}$/)
    // Told to whoever invited, once.
    expect((await t.call('GET', `/users/${answer.body.id}`, { token })).body.invitation).toBeUndefined()
    t.clock.now = new Date(t.clock.now.getTime() + 6 * 86_400_000)
    expect((await reset(email, code)).status).toBe(200)
    expect(await t.login(email, 'Novissima1')).toBeString()
    expect((await reset(email, code, 'Outra1234')).body.error).toBe('ERR_RESET_CODE')
  })

  test('gets the same by mail, where the server sends mail, with the link in it', async () => {
    const { email } = await invite()
    const { text, headers } = await letterTo(email)
    expect(headers['subject']).toBe('Convite para Balcão')
    const link = /https:\/\/balcao\.example\.test\/invitation#\S+/.exec(text)![0]
    const given = new URLSearchParams(new URL(link).hash.slice(1))
    expect(given.get('email')).toBe(email)
    expect((await reset(email, given.get('code')!)).status).toBe(200)
  })

  test('is invited once more, as the same person, and what was sent before opens nothing; not after they came in', async () => {
    const { email, answer, token } = await invite()
    const { id, invitation } = answer.body
    const { text } = await letterTo(email)
    const mailed = new URLSearchParams(new URL(/https:\S+invitation#\S+/.exec(text)![0]).hash.slice(1)).get('code')!
    const listed = async () => (await t.call('GET', `/users/${id}`, { token })).body
    expect(await listed()).toMatchObject({ id, invited: true })
    const again = () => t.call('POST', `/users/${id}/invitation`, { token })
    const { status, body } = await again()
    expect([status, body.id, body.invitation.mailed, body.invitation.days]).toEqual([200, id, true, 7])
    for (const old of [invitation.code, mailed]) expect((await reset(email, old)).body.error).toBe('ERR_RESET_CODE')
    expect((await reset(email, body.invitation.code)).status).toBe(200)
    expect(await listed()).toMatchObject({ invited: false })
    expect((await again()).body.error).toBe('ERR_NOT_INVITED')
    // Nobody's mailbox is filled.
    const other = await invite()
    const once = () => t.call('POST', `/users/${other.answer.body.id}/invitation`, { token: other.token })
    for (let n = 0; n < 6; n++) expect((await once()).status).toBe(200)
    expect((await once()).body.error).toBe('ERR_TOO_MANY_ATTEMPTS')
  })

  test('comes too late after a week, and gets no invitation where somebody wrote a password', async () => {
    const late = await invite()
    t.clock.now = new Date(t.clock.now.getTime() + 8 * 86_400_000)
    expect((await reset(late.email, late.answer.body.invitation.code)).body.error).toBe('ERR_RESET_CODE')
    const known = await invite({ password: 'escrita-1' })
    expect(known.answer.body.invitation).toBeUndefined()
    expect(await t.login(known.email, 'escrita-1')).toBeString()
  })
})
