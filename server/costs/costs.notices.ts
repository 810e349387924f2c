import { and, eq, gte, inArray, lt, sql } from 'drizzle-orm'
import { companies, type Company } from '../../schema/companies/companies.table.ts'
import { freeTierClass } from '../../schema/costs/costs.class.ts'
import { FREE_TIER, levelOf, noticeLevels } from '../../schema/costs/costs.given.ts'
import { costDays, costNotices } from '../../schema/costs/costs.table.ts'
import { DAY_MS } from '../../schema/durations.ts'
import type { Effect } from '../../schema/effects.ts'
import { whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import { findRecipient } from '../auth/password-reset.queries.ts'
import type { Db } from '../db/database.ts'
import { addJobs } from '../jobs/queue.ts'
import type { Handlers } from '../jobs/worker.ts'
import type { Letter, Mailer } from '../mail/mailer.ts'
import { wakeBrowser } from '../push/push.changes.ts'
import { awakeBrowsers, findBrowser } from '../push/push.queries.ts'
import { holdersOf } from '../users/users.holders.queries.ts'
import type { PushService } from '../push/push.sender.ts'

/** Admins who are told. */
const MOST_TOLD = 20

/** Numbers whose free answers of this month, by their company's calendar, are used so far that somebody is told. */
async function numbersUsed(db: Db, at: Date) {
  const month = sql<string>`to_char(${at.toISOString()}::timestamptz AT TIME ZONE ${companies.timeZone}, 'YYYY-MM')`
  const used = sql<number>`sum(${costDays.n})::int`
  const day = (offset: number) => new Date(at.getTime() + offset * DAY_MS).toISOString().slice(0, 10)
  return db
    .select({
      whatsappId: costDays.whatsappId,
      companyId: costDays.companyId,
      timeZone: companies.timeZone,
      month: sql<string>`min(${month})`,
      used,
    })
    .from(costDays)
    .innerJoin(companies, eq(companies.id, costDays.companyId))
    .innerJoin(whatsapps, eq(whatsapps.id, costDays.whatsappId))
    .where(
      and(
        eq(costDays.category, freeTierClass.category),
        inArray(costDays.type, freeTierClass.types),
        // A day more on either side than any time zone is from ours.
        gte(costDays.day, sql`greatest(${FREE_TIER.since}, ${day(-32)})::date`),
        lt(costDays.day, day(2)),
        sql`to_char(${costDays.day}, 'YYYY-MM') = ${month}`,
        eq(companies.status, true),
      ),
    )
    .groupBy(costDays.whatsappId, costDays.companyId, companies.timeZone)
    .having(sql`sum(${costDays.n}) * 100 >= ${FREE_TIER.messages * noticeLevels[0]}`)
}

/**
 * Has admins told of each number whose free answers of the month run out: a row for the level and the jobs for it in one
 * transaction, so that everybody is told once, whatever restarts. Who comes to the end at once is told of that only.
 * @returns of how many numbers somebody was told
 */
export async function notifyFreeTier(db: Db, at: Date): Promise<number> {
  let notified = 0
  for (const { companyId, whatsappId, month, timeZone, used } of await numbersUsed(db, at)) {
    const level = levelOf(used)
    if (level === undefined) continue
    notified += await db.transaction(async (tx) => {
      const [first] = await tx
        .insert(costNotices)
        .values({ whatsappId, companyId, month, level, createdAt: at })
        .onConflictDoNothing()
        .returning({ level: costNotices.level })
      if (!first) return 0
      const userIds = await holdersOf(tx, companyId, 'dashboard:view', MOST_TOLD)
      const browsers = userIds.length === 0 ? [] : await awakeBrowsers(tx, companyId, { timeZone, at, of: userIds })
      const of = { whatsappId, month, level }
      await addJobs(tx, companyId, [
        ...userIds.map((userId): Effect => ({ kind: 'mail.freeTier', userId, ...of })),
        ...browsers.map(({ id }): Effect => ({ kind: 'push.freeTier', subscriptionId: id, ...of })),
      ])
      return 1
    })
  }
  return notified
}

interface Words {
  subject: string
  text: string
}
interface Said {
  name: string
  connection: string
  where: string
}

const words: Record<Company['language'], Record<'near' | 'over', (said: Said) => Words>> = {
  pt: {
    near: ({ name, connection, where }) => ({
      subject: `${connection}: 80 % das respostas grátis do mês já foram`,
      text: `Olá, ${name}.\n\nO número ${connection} já usou 80 % das ${FREE_TIER.messages} respostas que o WhatsApp entrega de graça por mês. Depois delas, cada resposta é cobrada.${where && `\n\nOs custos estão em ${where}`}\n`,
    }),
    over: ({ name, connection, where }) => ({
      subject: `${connection}: as respostas grátis do mês acabaram`,
      text: `Olá, ${name}.\n\nO número ${connection} usou as ${FREE_TIER.messages} respostas que o WhatsApp entrega de graça por mês. Até o mês acabar, cada resposta é cobrada; sem forma de pagamento na Meta, elas deixam de ser entregues.${where && `\n\nOs custos estão em ${where}`}\n`,
    }),
  },
  es: {
    near: ({ name, connection, where }) => ({
      subject: `${connection}: ya se usó el 80 % de las respuestas gratis del mes`,
      text: `Hola, ${name}:\n\nEl número ${connection} ya usó el 80 % de las ${FREE_TIER.messages} respuestas que WhatsApp entrega gratis por mes. Después, cada respuesta se cobra.${where && `\n\nLos costos están en ${where}`}\n`,
    }),
    over: ({ name, connection, where }) => ({
      subject: `${connection}: se acabaron las respuestas gratis del mes`,
      text: `Hola, ${name}:\n\nEl número ${connection} usó las ${FREE_TIER.messages} respuestas que WhatsApp entrega gratis por mes. Hasta que el mes termine, cada respuesta se cobra; sin forma de pago en Meta, dejan de entregarse.${where && `\n\nLos costos están en ${where}`}\n`,
    }),
  },
  en: {
    near: ({ name, connection, where }) => ({
      subject: `${connection}: 80 % of the month’s free replies are used`,
      text: `Hello ${name},\n\nThe number ${connection} has used 80 % of the ${FREE_TIER.messages} replies that WhatsApp delivers for free in a month. After them, each reply is charged.${where && `\n\nThe costs are at ${where}`}\n`,
    }),
    over: ({ name, connection, where }) => ({
      subject: `${connection}: the month’s free replies are used up`,
      text: `Hello ${name},\n\nThe number ${connection} has used the ${FREE_TIER.messages} replies that WhatsApp delivers for free in a month. Until the month ends, each reply is charged; without a way to pay at Meta they are no longer delivered.${where && `\n\nThe costs are at ${where}`}\n`,
    }),
  },
}

/** Tells an admin, by mail and in each of their browsers. */
export function freeTierEffects(deps: {
  db: Db
  mailer: Mailer | undefined
  push: Pick<PushService, 'send'>
  /** Without a slash at the end; undefined leaves the address of the screen out. */
  publicUrl: string | undefined
  now(): Date
}): Pick<Handlers, 'mail.freeTier' | 'push.freeTier'> {
  const { db, mailer, push, publicUrl, now } = deps

  /** Undefined when the connection is gone meanwhile. */
  async function said(companyId: number, whatsappId: number, level: number, name: string) {
    const [row] = await db
      .select({ company: companies.name, language: companies.language, connection: whatsapps.name })
      .from(whatsapps)
      .innerJoin(companies, eq(companies.id, whatsapps.companyId))
      .where(and(eq(whatsapps.id, whatsappId), eq(whatsapps.companyId, companyId)))
    if (!row) return undefined
    const sentences = words[row.language][level < 100 ? 'near' : 'over']
    return {
      title: row.company,
      ...sentences({ name, connection: row.connection, where: publicUrl ? `${publicUrl}/` : '' }),
    }
  }

  return {
    'mail.freeTier': async ({ userId, whatsappId, level }, { companyId }) => {
      const to = mailer && (await findRecipient(db, userId))
      if (!to) return
      const letter = await said(companyId, whatsappId, level, to.name)
      if (letter) await mailer.send({ to: to.email, subject: letter.subject, text: letter.text } satisfies Letter)
    },
    'push.freeTier': async ({ subscriptionId, whatsappId, level }, { companyId }) => {
      const browser = await findBrowser(db, companyId, subscriptionId, now())
      const news = browser && (await said(companyId, whatsappId, level, ''))
      if (!news) return
      await wakeBrowser({ db, push }, browser, { costs: true, title: news.title, body: news.subject })
    },
  }
}
