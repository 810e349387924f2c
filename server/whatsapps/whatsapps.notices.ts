import { and, eq } from 'drizzle-orm'
import { companies, type Company } from '../../schema/companies/companies.table.ts'
import type { Effect, EffectOf } from '../../schema/effects.ts'
import { cloudFailureIn } from '../../schema/whatsapps/whatsapps.cloud-failures.ts'
import { cloudNumbers } from '../../schema/whatsapps/cloud-store.table.ts'
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

type Problem = EffectOf<'mail.connection'>['problem']
/** What keeps a number from sending until somebody mends it at the service. */
const grave = [
  'token',
  'permission',
  'registration',
  'setup',
  'account_limited',
  'withdrawn',
] as const satisfies Problem[]
type Grave = (typeof grave)[number]
/** What wants a person while the number goes on sending. */
type Warning = Exclude<Problem, Grave>

/** Undefined where nobody need be told of it by mail. */
export function graveIn(problem: string | null | undefined): Grave | undefined {
  const failure = problem ? cloudFailureIn(problem)?.failure : undefined
  return grave.find((one) => one === failure)
}

/** Has admins told what is wrong with a connection, in the transaction that writes it down. */
export async function tellAdmins(
  tx: Tx,
  companyId: number,
  whatsappId: number,
  problem: Problem,
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

const isOver = (now: { lastError: string | null; quality: string | null }, problem: Problem): boolean => {
  if (problem === 'name_refused') return false
  return problem === 'quality' ? now.quality !== 'RED' : graveIn(now.lastError) !== problem
}

interface Words {
  causes: Record<Grave, string>
  /** What is told of the connection, and why. */
  warnings: Record<Warning, { subject: (connection: string) => string; why: string }>
  subject: (connection: string) => string
  text: (said: { name: string; connection: string; cause: string; where: string }) => string
  warn: (said: { name: string; title: string; why: string; where: string }) => string
}

const words: Record<Company['language'], Words> = {
  pt: {
    causes: {
      token: 'o token de acesso não vale mais',
      permission: 'falta uma permissão ao token de acesso',
      registration: 'o número não está registrado, ou o PIN não confere',
      setup: 'falta algo na conta da Meta, como nome de exibição ou forma de pagamento',
      account_limited: 'a Meta limitou a conta',
      withdrawn: 'a conta foi apagada, ou o acesso deste servidor a ela foi retirado',
    },
    warnings: {
      quality: {
        subject: (connection) => `A qualidade de ${connection} está baixa`,
        why: 'muitos contatos bloquearam ou denunciaram mensagens deste número. Envie menos, e só a quem espera por elas: a Meta pode limitá-lo',
      },
      name_refused: {
        subject: (connection) => `A Meta recusou o nome de exibição de ${connection}`,
        why: 'os contatos não veem o nome pedido. Escolha outro no Gerenciador do WhatsApp',
      },
    },
    subject: (connection) => `${connection} não está enviando mensagens`,
    text: ({ name, connection, cause, where }) =>
      `Olá, ${name}.\n\nA conexão ${connection} não está enviando mensagens: ${cause}.${where && `\n\nO que fazer está em ${where}`}\n`,
    warn: ({ name, title, why, where }) =>
      `Olá, ${name}.\n\n${title}: ${why}.${where && `\n\nA conexão está em ${where}`}\n`,
  },
  es: {
    causes: {
      token: 'el token de acceso ya no vale',
      permission: 'al token de acceso le falta un permiso',
      registration: 'el número no está registrado, o el PIN no coincide',
      setup: 'falta algo en la cuenta de Meta, como el nombre visible o la forma de pago',
      account_limited: 'Meta limitó la cuenta',
      withdrawn: 'la cuenta fue eliminada, o se retiró el acceso de este servidor a ella',
    },
    warnings: {
      quality: {
        subject: (connection) => `La calidad de ${connection} es baja`,
        why: 'muchos contactos bloquearon o denunciaron mensajes de este número. Envía menos, y solo a quien los espera: Meta puede limitarlo',
      },
      name_refused: {
        subject: (connection) => `Meta rechazó el nombre visible de ${connection}`,
        why: 'los contactos no ven el nombre pedido. Elige otro en el Administrador de WhatsApp',
      },
    },
    subject: (connection) => `${connection} no está enviando mensajes`,
    text: ({ name, connection, cause, where }) =>
      `Hola, ${name}:\n\nLa conexión ${connection} no está enviando mensajes: ${cause}.${where && `\n\nQué hacer está en ${where}`}\n`,
    warn: ({ name, title, why, where }) =>
      `Hola, ${name}:\n\n${title}: ${why}.${where && `\n\nLa conexión está en ${where}`}\n`,
  },
  en: {
    causes: {
      token: 'the access token is no longer valid',
      permission: 'the access token lacks a permission',
      registration: 'the number is not registered, or the PIN does not match',
      setup: 'something is missing in the Meta account, such as a display name or a way to pay',
      account_limited: 'Meta has limited the account',
      withdrawn: 'the account was deleted, or this server’s access to it was withdrawn',
    },
    warnings: {
      quality: {
        subject: (connection) => `The quality of ${connection} is low`,
        why: 'many contacts blocked or reported messages of this number. Send less, and only to people who expect it: Meta may limit it',
      },
      name_refused: {
        subject: (connection) => `Meta refused the display name of ${connection}`,
        why: 'contacts do not see the name that was asked for. Choose another one in WhatsApp Manager',
      },
    },
    subject: (connection) => `${connection} is not sending messages`,
    text: ({ name, connection, cause, where }) =>
      `Hello ${name},\n\nThe connection ${connection} is not sending messages: ${cause}.${where && `\n\nWhat to do is at ${where}`}\n`,
    warn: ({ name, title, why, where }) =>
      `Hello ${name},\n\n${title}: ${why}.${where && `\n\nThe connection is at ${where}`}\n`,
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
  async function said(companyId: number, whatsappId: number, problem: Problem, name: string) {
    const [row] = await db
      .select({
        ...{ company: companies.name, language: companies.language },
        ...{ connection: whatsapps.name, lastError: whatsapps.lastError, quality: cloudNumbers.quality },
      })
      .from(whatsapps)
      .leftJoin(cloudNumbers, eq(cloudNumbers.whatsappId, whatsapps.id))
      .innerJoin(companies, eq(companies.id, whatsapps.companyId))
      .where(and(eq(whatsapps.id, whatsappId), eq(whatsapps.companyId, companyId)))
    if (!row || isOver(row, problem)) return undefined
    const { causes, warnings, subject, text, warn } = words[row.language]
    const { connection } = row
    const where = publicUrl ? `${publicUrl}/connections` : ''
    if (problem === 'quality' || problem === 'name_refused') {
      const { subject, why } = warnings[problem]
      const title = subject(connection)
      return { title: row.company, subject: title, text: warn({ name, title, why, where }) }
    }
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
