import { and, eq } from 'drizzle-orm'
import { companies, type Company } from '../../schema/companies/companies.table.ts'
import type { Effect } from '../../schema/effects.ts'
import { cloudFailureIn } from '../../schema/whatsapps/whatsapps.cloud-failures.ts'
import { whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import { findRecipient } from '../auth/password-reset.queries.ts'
import type { Db, Tx } from '../db/database.ts'
import { addJobs } from '../jobs/queue.ts'
import type { Handlers } from '../jobs/worker.ts'
import type { Letter, Mailer } from '../mail/mailer.ts'
import { wakeBrowser } from '../push/push.changes.ts'
import { awakeBrowsers, findBrowser } from '../push/push.queries.ts'
import type { PushService } from '../push/push.sender.ts'
import { holdersOf } from '../users/users.holders.queries.ts'

/** Admins who are told. */
const MOST_TOLD = 20

/** What keeps a number from sending until somebody mends it at the service. */
const grave = ['token', 'permission', 'registration', 'setup', 'account_limited'] as const
type Grave = (typeof grave)[number]

/** Undefined where nobody need be told of it by mail. */
export function graveIn(problem: string | null | undefined): Grave | undefined {
  const failure = problem ? cloudFailureIn(problem)?.failure : undefined
  return grave.find((one) => one === failure)
}

/** Has admins told that a connection does not send any more, in the transaction that writes it down. */
export async function tellAdmins(
  tx: Tx,
  companyId: number,
  whatsappId: number,
  problem: Grave,
  at: Date,
): Promise<void> {
  const [company] = await tx.select({ timeZone: companies.timeZone }).from(companies).where(eq(companies.id, companyId))
  const userIds = await holdersOf(tx, companyId, 'connections-page:editOrDeleteConnection', MOST_TOLD)
  if (!company || userIds.length === 0) return
  const browsers = await awakeBrowsers(tx, companyId, { timeZone: company.timeZone, at, of: userIds })
  const of = { whatsappId, problem, at: at.toISOString() }
  await addJobs(tx, companyId, [
    ...userIds.map((userId): Effect => ({ kind: 'mail.connection', userId, ...of })),
    ...browsers.map(({ id }): Effect => ({ kind: 'push.connection', subscriptionId: id, ...of })),
  ])
}

interface Words {
  causes: Record<Grave, string>
  subject: (connection: string) => string
  text: (said: { name: string; connection: string; cause: string; where: string }) => string
}

const words: Record<Company['language'], Words> = {
  pt: {
    causes: {
      token: 'o token de acesso não vale mais',
      permission: 'falta uma permissão ao token de acesso',
      registration: 'o número não está registrado, ou o PIN não confere',
      setup: 'falta algo na conta da Meta, como nome de exibição ou forma de pagamento',
      account_limited: 'a Meta limitou a conta',
    },
    subject: (connection) => `${connection} não está enviando mensagens`,
    text: ({ name, connection, cause, where }) =>
      `Olá, ${name}.\n\nA conexão ${connection} não está enviando mensagens: ${cause}.${where && `\n\nO que fazer está em ${where}`}\n`,
  },
  es: {
    causes: {
      token: 'el token de acceso ya no vale',
      permission: 'al token de acceso le falta un permiso',
      registration: 'el número no está registrado, o el PIN no coincide',
      setup: 'falta algo en la cuenta de Meta, como el nombre visible o la forma de pago',
      account_limited: 'Meta limitó la cuenta',
    },
    subject: (connection) => `${connection} no está enviando mensajes`,
    text: ({ name, connection, cause, where }) =>
      `Hola, ${name}:\n\nLa conexión ${connection} no está enviando mensajes: ${cause}.${where && `\n\nQué hacer está en ${where}`}\n`,
  },
  en: {
    causes: {
      token: 'the access token is no longer valid',
      permission: 'the access token lacks a permission',
      registration: 'the number is not registered, or the PIN does not match',
      setup: 'something is missing in the Meta account, such as a display name or a way to pay',
      account_limited: 'Meta has limited the account',
    },
    subject: (connection) => `${connection} is not sending messages`,
    text: ({ name, connection, cause, where }) =>
      `Hello ${name},\n\nThe connection ${connection} is not sending messages: ${cause}.${where && `\n\nWhat to do is at ${where}`}\n`,
  },
}

/** Tells an admin, by mail and in each of their browsers. */
export function connectionNoticeEffects(deps: {
  db: Db
  mailer: Mailer | undefined
  push: Pick<PushService, 'send'>
  /** Without a slash at the end; undefined leaves the address of the screen out. */
  publicUrl: string | undefined
  now(): Date
}): Pick<Handlers, 'mail.connection' | 'push.connection'> {
  const { db, mailer, push, publicUrl, now } = deps

  /** Undefined where it is gone meanwhile, or sends again. */
  async function said(companyId: number, whatsappId: number, problem: Grave, name: string) {
    const [row] = await db
      .select({
        ...{ company: companies.name, language: companies.language },
        ...{ connection: whatsapps.name, lastError: whatsapps.lastError },
      })
      .from(whatsapps)
      .innerJoin(companies, eq(companies.id, whatsapps.companyId))
      .where(and(eq(whatsapps.id, whatsappId), eq(whatsapps.companyId, companyId)))
    if (!row || graveIn(row.lastError) !== problem) return undefined
    const { causes, subject, text } = words[row.language]
    const { connection } = row
    const where = publicUrl ? `${publicUrl}/connections` : ''
    return {
      title: row.company,
      subject: subject(connection),
      text: text({ name, connection, cause: causes[problem], where }),
    }
  }

  return {
    'mail.connection': async ({ userId, whatsappId, problem }, { companyId }) => {
      const to = mailer && (await findRecipient(db, userId))
      if (!to) return
      const letter = await said(companyId, whatsappId, problem, to.name)
      if (letter) await mailer.send({ to: to.email, subject: letter.subject, text: letter.text } satisfies Letter)
    },
    'push.connection': async ({ subscriptionId, whatsappId, problem }, { companyId }) => {
      const browser = await findBrowser(db, companyId, subscriptionId, now())
      const news = browser && (await said(companyId, whatsappId, problem, ''))
      if (news) await wakeBrowser({ db, push }, browser, { connections: true, title: news.title, body: news.subject })
    },
  }
}
