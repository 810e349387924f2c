import { and, asc, eq, lte } from 'drizzle-orm'
import { companies } from '../../schema/companies/companies.table.ts'
import type { Effect } from '../../schema/effects.ts'
import { type Language, type Words, wordIn } from '../../schema/languages.ts'
import { can, type Principal } from '../../schema/permissions.ts'
import { type ReportName, reportNames, type ReportQuery } from '../../schema/reports/reports.inputs.ts'
import { nextLeaving, toldDays } from '../../schema/reports/reports.rhythm.ts'
import { reportSchedules } from '../../schema/reports/reports.table.ts'
import { wallOf } from '../../schema/wall.ts'
import { findRecipient } from '../auth/password-reset.queries.ts'
import type { Db } from '../db/database.ts'
import { addJobs } from '../jobs/queue.ts'
import type { Handlers } from '../jobs/worker.ts'
import type { Mailer } from '../mail/mailer.ts'
import { fileNameOf, fileOf } from './reports.export.ts'
import { findSchedule } from './reports.kept.queries.ts'
import { reportFor } from './reports.told.ts'

const AT_ONCE = 100

/**
 * Has what is due sent: when it leaves next, and a job for each reader, in one transaction. Done twice, or by two servers,
 * everybody is sent it once. What was due while no server ran is sent once, for the days that it would have told of.
 * @returns how many reports leave
 */
export async function sendDueReports(db: Db, now: Date): Promise<number> {
  return db.transaction(async (tx) => {
    const due = await tx
      .select({ schedule: reportSchedules, timeZone: companies.timeZone })
      .from(reportSchedules)
      .innerJoin(companies, eq(companies.id, reportSchedules.companyId))
      .where(and(eq(reportSchedules.active, true), lte(reportSchedules.nextAt, now)))
      .orderBy(asc(reportSchedules.nextAt))
      .limit(AT_ONCE)
      .for('update', { of: reportSchedules, skipLocked: true })
    for (const { schedule, timeZone } of due) {
      const { year, month, day } = wallOf(schedule.nextAt, timeZone)
      const days = toldDays(schedule.every, `${year}-${month}-${day}`)
      await tx
        .update(reportSchedules)
        .set({ nextAt: nextLeaving(schedule, timeZone, now), sentAt: now })
        .where(eq(reportSchedules.id, schedule.id))
      await addJobs(
        tx,
        schedule.companyId,
        schedule.userIds.map((userId): Effect => ({ kind: 'mail.report', scheduleId: schedule.id, userId, ...days })),
      )
    }
    return due.length
  })
}

const greeting: Words = ['Olá', 'Hola', 'Hello']
const text: Words = [
  'Segue em anexo o relatório “{name}”, de {from} a {to}.\n\nCada número abre os atendimentos que contou em {where}\n',
  'Adjuntamos el informe “{name}”, del {from} al {to}.\n\nCada número abre los tickets que contó en {where}\n',
  'Attached is the report “{name}”, from {from} to {to}.\n\nEach figure opens the tickets it counted at {where}\n',
]

interface MailDeps {
  db: Db
  mailer: Mailer | undefined
  publicUrl: string | undefined
  now(): Date
  /** Undefined for who is gone. */
  principalOf(userId: number): Promise<Principal | undefined | null>
}

/** Mails a report to one reader: of the tickets that they see, while they may read reports. */
export function reportEffects(deps: MailDeps): Pick<Handlers, 'mail.report'> {
  const { db, mailer, publicUrl } = deps
  return {
    'mail.report': async ({ scheduleId, userId, from, to }, { companyId }) => {
      const [schedule, who, recipient] = await Promise.all([
        findSchedule(db, companyId, scheduleId),
        deps.principalOf(userId),
        findRecipient(db, userId),
      ])
      const report = reportNames.find((name) => name === schedule?.report)
      if (!mailer || !schedule || !report || !who || !recipient || who.companyId !== companyId) return
      if (!can(who, 'reports:read')) return
      const language = recipient.language
      const file = await attachment(
        deps,
        who,
        { report, query: { ...schedule.query, range: 'custom', from, to } },
        language,
      )
      const where = `${publicUrl ?? ''}/reports`
      const values: Record<string, string> = { name: schedule.name, from, to, where }
      const body = wordIn(text, language).replaceAll(/\{(\w+)\}/g, (_all, name: string) => values[name] ?? '')
      await mailer.send({
        to: recipient.email,
        subject: `${schedule.name} · ${from === to ? from : `${from} – ${to}`}`,
        text: `${wordIn(greeting, language)}, ${recipient.name}.\n\n${body}`,
        attachments: [await file(schedule.format, recipient.companyName)],
      })
    },
  }
}

async function attachment(
  deps: Pick<MailDeps, 'db' | 'now'>,
  who: Principal,
  { report, query }: { report: ReportName; query: ReportQuery },
  language: Language,
) {
  const { days, told } = await reportFor(deps, who, report, query)
  return async (format: 'csv' | 'xlsx' | 'pdf', company: string) => {
    const file = await fileOf({ companyId: who.companyId, company, report, days, told, language }, format)
    return {
      filename: fileNameOf(report, days, format),
      contentType: file.type,
      content: Buffer.from(await file.arrayBuffer()),
    }
  }
}
