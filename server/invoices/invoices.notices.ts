import { and, asc, eq, gte, gt, isNull, lt } from 'drizzle-orm'
import { companies, type Company } from '../../schema/companies/companies.table.ts'
import type { Effect } from '../../schema/effects.ts'
import { languageTags } from '../../schema/languages.ts'
import { dueNotices } from '../../schema/invoices/due-notices.table.ts'
import { daysLeftOf, noticeDays, noticeOf } from '../../schema/invoices/invoices.notice.ts'
import { findRecipient } from '../auth/password-reset.queries.ts'
import type { Db } from '../db/database.ts'
import { addJobs } from '../jobs/queue.ts'
import type { Handlers } from '../jobs/worker.ts'
import type { Letter, Mailer } from '../mail/mailer.ts'
import { wakeBrowser } from '../push/push.changes.ts'
import { awakeBrowsers, findBrowser } from '../push/push.queries.ts'
import { holdersOf } from '../users/users.holders.queries.ts'
import type { PushService } from '../push/push.sender.ts'
import { DAY_MS } from '../../schema/durations.ts'

const AT_ONCE = 500
/** Admins who are told. */
const MOST_TOLD = 20

const dueColumns = {
  id: companies.id,
  status: companies.status,
  dueDate: companies.dueDate,
  timeZone: companies.timeZone,
}

/**
 * Has the admins told of each company whose last day comes: a row for the notice and the jobs for it in one transaction.
 * Done twice, on two servers at once, or after a crash, everybody is told once.
 * @returns how many companies were told
 */
export async function notifyDue(db: Db, at: Date): Promise<number> {
  const day = (days: number) => new Date(at.getTime() + days * DAY_MS).toISOString().slice(0, 10)
  let notified = 0
  for (let after = 0; ; ) {
    const rows = await db
      .select(dueColumns)
      .from(companies)
      .where(
        and(
          gt(companies.id, after),
          eq(companies.status, true),
          isNull(companies.removal),
          // A day more on either side than any time zone is from ours.
          gte(companies.dueDate, day(-1)),
          lt(companies.dueDate, day(Math.max(...noticeDays) + 2)),
        ),
      )
      .orderBy(asc(companies.id))
      .limit(AT_ONCE)
    for (const company of rows) {
      const days = noticeOf(company, at)
      if (days !== null && company.dueDate !== null)
        notified += Number(await notifyCompany(db, { ...company, dueDate: company.dueDate, days }, at))
    }
    if (rows.length < AT_ONCE) return notified
    after = rows.at(-1)!.id
  }
}

async function notifyCompany(
  db: Db,
  { id: companyId, dueDate, timeZone, days }: { id: number; dueDate: string; timeZone: string; days: number },
  at: Date,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [first] = await tx
      .insert(dueNotices)
      .values({ companyId, dueDate, days, createdAt: at })
      .onConflictDoNothing()
      .returning({ days: dueNotices.days })
    if (!first) return false
    // Whoever may pay by a role is told, too.
    const userIds = await holdersOf(tx, companyId, 'invoices:pay', MOST_TOLD)
    const browsers = userIds.length === 0 ? [] : await awakeBrowsers(tx, companyId, { timeZone, at, of: userIds })
    await addJobs(tx, companyId, [
      ...userIds.map((userId): Effect => ({ kind: 'mail.dueSoon', userId, dueDate, days })),
      ...browsers.map(({ id }): Effect => ({ kind: 'push.dueSoon', subscriptionId: id, dueDate, days })),
    ])
    return true
  })
}

interface Words {
  subject: string
  text: string
}

const words: Record<
  Company['language'],
  (parts: { name: string; left: number; date: string; where: string }) => Words
> = {
  pt: ({ name, left, date, where }) => ({
    subject: left === 1 ? 'A assinatura vence amanhã' : `A assinatura vence em ${left} dias`,
    text: `Olá, ${name}.\n\nA assinatura vale até ${date}. Depois desse dia ninguém da empresa consegue trabalhar até que a fatura seja paga; as mensagens que chegarem ficam guardadas.${where && `\n\nPague em ${where}`}\n`,
  }),
  es: ({ name, left, date, where }) => ({
    subject: left === 1 ? 'La suscripción vence mañana' : `La suscripción vence en ${left} días`,
    text: `Hola, ${name}:\n\nLa suscripción es válida hasta el ${date}. Después de ese día nadie de la empresa puede trabajar hasta que se pague la factura; los mensajes que lleguen se guardan.${where && `\n\nPaga en ${where}`}\n`,
  }),
  en: ({ name, left, date, where }) => ({
    subject: left === 1 ? 'The subscription expires tomorrow' : `The subscription expires in ${left} days`,
    text: `Hello ${name},\n\nThe subscription is valid until ${date}. After that day nobody in the company can work until the invoice is paid; messages that arrive are kept.${where && `\n\nPay at ${where}`}\n`,
  }),
}
const dateOf = (day: string, language: Company['language']) =>
  new Intl.DateTimeFormat(languageTags[language], { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  )

/** Tells an admin, by mail and in each of their browsers, while it is still true. */
export function noticeEffects(deps: {
  db: Db
  mailer: Mailer | undefined
  push: Pick<PushService, 'send'>
  /** Without a slash at the end; undefined leaves the address of the screen out. */
  publicUrl: string | undefined
  now(): Date
}): Pick<Handlers, 'mail.dueSoon' | 'push.dueSoon'> {
  const { db, mailer, push, publicUrl, now } = deps

  /** What is told, or undefined when it was paid, or is over, meanwhile. */
  async function said(companyId: number, dueDate: string, name: string) {
    const [company] = await db
      .select({ ...dueColumns, name: companies.name, language: companies.language })
      .from(companies)
      .where(eq(companies.id, companyId))
    if (!company?.status || company.dueDate !== dueDate) return undefined
    const left = daysLeftOf({ dueDate, timeZone: company.timeZone }, now())
    if (left < 1) return undefined
    const where = publicUrl ? `${publicUrl}/financeiro` : ''
    const parts = { name, left, date: dateOf(dueDate, company.language), where }
    return { title: company.name, ...words[company.language](parts) }
  }

  return {
    'mail.dueSoon': async ({ userId, dueDate }, { companyId }) => {
      const to = mailer && (await findRecipient(db, userId))
      if (!to) return
      const letter = await said(companyId, dueDate, to.name)
      if (letter) await mailer.send({ to: to.email, subject: letter.subject, text: letter.text } satisfies Letter)
    },
    'push.dueSoon': async ({ subscriptionId, dueDate }, { companyId }) => {
      const browser = await findBrowser(db, companyId, subscriptionId, now())
      const news = browser && (await said(companyId, dueDate, ''))
      if (!news) return
      await wakeBrowser({ db, push }, browser, { invoices: true, title: news.title, body: news.subject })
    },
  }
}
