import { lookAgain } from '../assignment/assignment.effects.ts'
import { anchorAudit } from '../audit/anchors.writes.ts'
import { loadAccess } from '../auth/auth.queries.ts'
import { wakeRuns } from '../automation/automation.runs.ts'
import { countTrails, sweepAutomation } from '../automation/automation.sweep.ts'
import { sweepBulk } from '../campaigns/campaigns.bulk.writes.ts'
import { planCampaigns, startDue } from '../campaigns/campaigns.plan.ts'
import { createNightly } from '../backup/backup.nightly.ts'
import { checkLists } from '../contact-lists/contact-lists.check.ts'
import { notifyFreeTier } from '../costs/costs.notices.ts'
import { markSilentOffline } from '../events/presence.writes.ts'
import { sweepFlowFiles } from '../flows/flows.sweep.ts'
import { makeDueInvoices } from '../invoices/invoices.due.ts'
import { notifyDue } from '../invoices/invoices.notices.ts'
import { type Clock, startClocks } from '../jobs/clocks.ts'
import { sweepJobs } from '../jobs/sweep.ts'
import { sweepExports } from '../privacy/privacy.effects.ts'
import { letGoOfOld } from '../privacy/privacy.retention.writes.ts'
import { createTxtResolver } from '../oidc/oidc.dns.ts'
import { recheckDomains } from '../oidc/oidc.recheck.ts'
import { countUsage } from '../operator/operator.usage.ts'
import { sendDueReports } from '../reports/reports.mail.ts'
import { makeReports } from '../reports/reports.make.ts'
import { askAboutSilence } from '../rules/rules.idle.ts'
import { sweepRuleRuns } from '../rules/rules.sweep.ts'
import { tellDue } from '../sla-policies/sla.due.ts'
import { sendDueSchedules } from '../schedules/schedules.due.ts'
import { closeIdleTickets } from '../tickets/tickets.expiry.ts'
import { wakeSnoozed } from '../tickets/tickets.snoozed.ts'
import { queueWaitingTickets } from '../tickets/tickets.waiting.ts'
import { sweepDeliveries } from '../webhooks/webhooks.deliver.ts'
import type { Channels } from './channels.ts'
import type { Data } from './data.ts'
import type { House } from './house.ts'
import { runsDepsOf, type Work } from './work.ts'
import type { Web } from './web.ts'

interface Parts {
  data: Data
  channels: Channels
  work: Work
  web: Web
}

/** Starts what is done at its time. Of several servers one does it, except for what each has to do with its own links. */
export function startWorkOfClocks(house: House, parts: Parts): void {
  const { log, stops } = house
  const { sql, shared } = parts.data
  const clocks = [
    ...serviceClocks(house, parts),
    ...bulkClocks(house, parts),
    ...businessClocks(house, parts),
    ...sweepClocks(house, parts),
  ]
  const { worker: holder, isSeen } = parts.channels
  const started = startClocks(clocks, { log, ...(shared && { lease: { sql, holder, isSeen } }) })
  stops.push(() => started.stop())
}

/** What conversations wait for, and the people in them. */
function serviceClocks(house: House, { data, channels, web, work }: Parts): Clock[] {
  const { config, now } = house
  const { db, facts, committed, bulkFacts, sla, ruleBook } = data
  const runs = runsDepsOf(house, data)
  return [
    {
      when: '* * * * *',
      name: 'presence',
      work: async () => web.deps.emitPresence(await markSilentOffline(db, now())),
    },
    { when: '* * * * *', name: 'sockets', everywhere: true, work: () => web.sockets.recheck() },
    {
      when: '* * * * *',
      name: 'idle tickets',
      work: async () => committed(await closeIdleTickets({ db, now, facts, defaultHours: config.autoCloseHours })),
    },
    // What other servers' people promise is known here soon, without a look at each message.
    { when: '*/5 * * * * *', name: 'promises', everywhere: true, atStart: true, work: () => sla.refresh() },
    { when: '*/5 * * * * *', name: 'rules', everywhere: true, atStart: true, work: () => ruleBook.refresh() },
    {
      when: '* * * * *',
      name: 'silence',
      work: async () => {
        if ((await askAboutSilence({ db, now })) > 0) work.worker.wake()
      },
    },
    {
      when: '* * * * * *',
      name: 'deadlines',
      atStart: true,
      work: async () => void (await tellDue({ db, now, committed })),
    },
    {
      when: '* * * * *',
      name: 'waiting tickets',
      work: async () => committed(await queueWaitingTickets({ db, now })),
    },
    {
      when: '*/10 * * * * *',
      name: 'assignment',
      work: async () => {
        web.deps.emitPresence(await lookAgain(db, now()))
        work.worker.wake()
      },
    },
    {
      when: '*/5 * * * * *',
      name: 'snoozed tickets',
      work: () => wakeSnoozed({ db, now, committed }),
    },
    {
      when: '* * * * * *',
      name: 'flows',
      everywhere: true,
      work: async () => {
        // As long as many are due, the next ones are taken up at once.
        while ((await wakeRuns(runs, channels.wires.openIds())) >= 2_000);
      },
    },
    {
      when: '*/10 * * * * *',
      name: 'schedules',
      work: async () => {
        await sendDueSchedules({
          db,
          now,
          facts,
          principalOf: async (tx, userId) => (await loadAccess(tx, userId))?.who,
          committed,
          bulkBegan: (companyId) => bulkFacts.began(companyId),
        })
      },
    },
  ]
}

/** What is sent to many. */
function bulkClocks({ now, log }: House, { data, channels, work }: Parts): Clock[] {
  const { db, bulkFacts, emitCampaign, events } = data
  const planning = {
    db,
    now,
    log,
    changed: (campaign: { id: number; companyId: number; whatsappId: number | null }) => {
      bulkFacts.forget(campaign.companyId)
      emitCampaign(campaign)
    },
  }
  return [
    {
      when: '* * * * * *',
      name: 'campaigns',
      everywhere: true,
      work: async () => {
        await startDue(planning)
        await planCampaigns(planning)
        await work.sender.tick()
      },
    },
    {
      when: '* * * * * *',
      name: 'number checks',
      work: async () => {
        await checkLists({ db, now, checkNumber: channels.sessions.checkNumber, events, log })
      },
    },
  ]
}

/** What the operator earns by, and what is counted and proven. */
function businessClocks({ now, log }: House, { data, work, web }: Parts): Clock[] {
  const { db, sql, events, sealer } = data
  return [
    // Often, and once for each due date: a server that was off at an hour of the day would bill a day later.
    { when: '7 * * * *', name: 'invoices', work: async () => void (await makeDueInvoices({ db, events, now })) },
    {
      when: '17 * * * *',
      name: 'due notices',
      // Who should have been told while no server was there is not told an hour later still.
      atStart: true,
      work: async () => {
        if ((await notifyDue(db, now())) > 0) work.worker.wake()
      },
    },
    {
      when: '*/5 * * * *',
      name: 'free answers',
      work: async () => {
        if ((await notifyFreeTier(db, now())) > 0) work.worker.wake()
      },
    },
    // Shortly before an hour ends, wherever a day ends with it: who was there today is known today only. A new
    // installation has something to show, too.
    { when: '28,58 * * * *', name: 'usage', atStart: true, work: () => countUsage(db, now()) },
    { when: '*/10 * * * * *', name: 'payments', work: () => web.deps.payments.check() },
    {
      when: '7 4 * * *',
      name: 'domain proofs',
      work: () => recheckDomains({ db, now, tokens: web.deps.tokens, resolveTxt: createTxtResolver() }),
    },
    { when: '* * * * *', name: 'audit anchors', work: () => anchorAudit({ db, sealer, log }) },
    // Whoever opens a report finds its facts made, but for the last minutes.
    { when: '*/5 * * * *', name: 'reports', work: () => makeReports(db, now) },
    {
      when: '* * * * *',
      name: 'reports by mail',
      work: async () => {
        if ((await sendDueReports(db, now())) > 0) work.worker.wake()
      },
    },
    { when: '*/5 * * * *', name: 'flow counts', work: async () => void (await countTrails(sql)) },
  ]
}

/** What is old, at night. */
function sweepClocks(house: House, { data: { db, sql, databaseUrl, media }, web }: Parts): Clock[] {
  const { now, config, log, stops } = house
  const { backup } = config
  const nightly =
    backup &&
    createNightly({
      ...{ config: { ...config, backup }, db, url: databaseUrl, version: web.deps.version, now },
      log: log.child({ part: 'backups' }),
    })
  stops.push(() => nightly?.stop())
  return [
    ...(nightly ? [{ when: '2-59/5 * * * *', name: 'backups', work: () => nightly.look() }] : []),
    { when: '17 3 * * *', name: 'sweep', work: () => sweepJobs(sql) },
    { when: '37 3 * * *', name: 'sweep webhooks', work: () => sweepDeliveries(sql) },
    { when: '47 3 * * *', name: 'sweep bulk', work: async () => void (await sweepBulk(db, now())) },
    { when: '27 3 * * *', name: 'sweep automation', work: () => sweepAutomation(sql) },
    { when: '57 3 * * *', name: 'sweep rule runs', work: () => sweepRuleRuns(sql) },
    { when: '7 * * * *', name: 'sweep exports', work: () => sweepExports({ db, media, now }) },
    { when: '7 2 * * *', name: 'terms of keeping', work: () => letGoOfOld({ db, now, log }) },
    { when: '37 3 * * *', name: 'sweep flow files', work: async () => void (await sweepFlowFiles(db)) },
  ]
}
