import { assignmentEffects } from '../assignment/assignment.effects.ts'
import { automationEffects } from '../automation/automation.effects.ts'
import { reportToRun } from '../automation/automation.runs.ts'
import { passwordResetEffects } from '../auth/password-reset.effects.ts'
import { createBots } from '../bots/bots.ask.ts'
import { campaignEffects } from '../campaigns/campaigns.effects.ts'
import { createSender } from '../campaigns/campaigns.sender.ts'
import { companyEffects } from '../companies/companies.removal.ts'
import { openSecrets } from '../flows/flow-secrets.queries.ts'
import type { AppDeps } from '../http/deps.ts'
import { freeTierEffects } from '../costs/costs.notices.ts'
import { connectionNoticeEffects } from '../whatsapps/whatsapps.notices.ts'
import { noticeEffects } from '../invoices/invoices.notices.ts'
import { watchOthers } from '../jobs/left.ts'
import { startJobWorker } from '../jobs/worker.ts'
import { ALIVE } from '../leases/alive.ts'
import { mediaEffects } from '../media/media.effects.ts'
import { createFileFetcher } from '../media/media.fetched.ts'
import { createMediaLinks } from '../media/media.links.ts'
import { createMediaTools, type MediaTools } from '../media/media-tools.ts'
import { fileContent, messageEffects } from '../messages/messages.effects.ts'
import { optOutEffects } from '../opt-outs/opt-outs.effects.ts'
import { mentionEffects } from '../mentions/mentions.effects.ts'
import { privacyEffects } from '../privacy/privacy.effects.ts'
import { pushEffects } from '../push/push.effects.ts'
import { historyEffects } from '../tickets/history.effects.ts'
import { ticketPushEffects } from '../push/push.tickets.ts'
import { reportEffects } from '../reports/reports.mail.ts'
import { ruleEffects } from '../rules/rules.effects.ts'
import { slaEffects } from '../sla-policies/sla.effects.ts'
import { templateEffects } from '../templates/templates.effects.ts'
import { ticketEffects } from '../tickets/tickets.effects.ts'
import { startWebhooks } from '../webhooks/webhooks.deliver.ts'
import { webhookEffects } from '../webhooks/webhooks.effects.ts'
import type { Channels } from './channels.ts'
import type { Data } from './data.ts'
import type { House } from './house.ts'

/** What jobs ask of the web, which is built after them. */
type Web = () => Pick<AppDeps, 'auth' | 'hub' | 'payments' | 'tokens'>

export type Work = ReturnType<typeof buildWork>

/** What is done after a commit: jobs, the messages of campaigns, the deliveries of webhooks. */
export function buildWork(house: House, data: Data, channels: Channels, web: Web) {
  const { log, now, stops } = house
  const { db, sql, sealer, outside, events, bells } = data
  const tools = createMediaTools({ log: log.child({ part: 'media' }), media: data.patient })
  const worker = startJobWorker({
    sql,
    log: log.child({ part: 'jobs' }),
    handlers: {
      ...conversationHandlers(house, data, channels, tools),
      ...officeHandlers(house, data, channels, web),
    },
    openConnections: () => channels.wires.openIds(),
    name: channels.worker,
  })
  bells.jobs = () => worker.wake()
  stops.push(() => worker.stop())
  const sender = senderOf(house, data, channels, tools)
  bells.campaign = (id) => sender.poke(id)
  stops.push(() => sender.stop())
  const webhooks = startWebhooks({
    ...{ db, sql, now, outside, sealer, events, log: log.child({ part: 'webhooks' }) },
    told: () => worker.wake(),
    name: channels.worker,
    ...(data.shared && { isSeen: channels.isSeen }),
  })
  bells.webhooks = () => webhooks.wake()
  stops.push(() => webhooks.stop())
  if (data.shared) {
    const freed = () => (worker.wake(), webhooks.wake())
    const others = watchOthers({ sql, alive: ALIVE, freed, log: log.child({ part: 'others' }) })
    stops.push(() => others.stop())
  }
  return { worker, sender, webhooks }
}

/** What runs of flows are changed with. */
export const runsDepsOf = ({ now, log }: House, { db, rules, graphs, committed }: Data) => ({
  ...{ db, rules, graphs, now, committed },
  log: log.child({ part: 'automation' }),
})

/** Jobs that the contact sees something of. */
function conversationHandlers(house: House, data: Data, channels: Channels, tools: MediaTools) {
  const { config, now } = house
  const { db, patient: media, facts, outside, sealer, events, committed } = data
  const { port, callsFirst } = channels
  const runs = runsDepsOf(house, data)
  return {
    ...messageEffects({
      db,
      channel: port,
      media,
      tools,
      maxMediaBytes: config.maxUploadBytes,
      now,
      committed,
      beforeMany: async (companyId) => callsFirst.get(companyId)?.clear(),
      toldFlow: ({ runId, n }, at) =>
        reportToRun(
          runs,
          runId,
          at ? { kind: 'left', n, at: at.getTime() } : { kind: 'sendFailed', n },
          `${runId}:${n}:${at ? 'left' : 'failed'}`,
        ),
    }),
    ...automationEffects({
      ...runs,
      bots: createBots({ db, sealer, outside, now }),
      openSecrets: (companyId, names, host) => openSecrets(db, sealer, companyId, names, host),
      mediaUrl: createMediaLinks(config, now).to,
      media,
      outside,
      fetchFile: createFileFetcher({ media, outside }),
      maxMediaBytes: config.maxUploadBytes,
    }),
    ...assignmentEffects({ db, facts, now, committed }),
    ...ruleEffects({ db, facts, now, events, committed }),
    ...ticketEffects({ db, facts, now, committed, rejectCall: port.rejectCall }),
    ...mediaEffects({ db, media }),
    ...campaignEffects({ db, send: port.send }),
    ...optOutEffects({ db, events, now }),
    ...historyEffects({ db, history: channels.history, now }),
    ...templateEffects({ db, channel: channels.wires, events, now, poke: (id) => data.bells.campaign(id) }),
  }
}

/** Jobs for the people of a company, and for the operator. */
function officeHandlers({ config, now }: House, data: Data, { sessions }: Channels, web: Web) {
  const { db, push, facts, mailer, patient: media, events, bells } = data
  const { publicUrl } = config
  const pushing = {
    ...{ db, push, facts, now },
    principalOf: (userId: number) => web().auth.principalOf(userId),
    isHere: (userId: number) => web().hub.isHere(userId),
    wake: () => bells.jobs(),
  }
  return {
    ...pushEffects(pushing),
    ...mentionEffects({ ...{ db, events }, principalOf: pushing.principalOf, wake: pushing.wake }),
    ...ticketPushEffects(pushing),
    ...slaEffects({ ...pushing, events, committed: data.committed }),
    ...webhookEffects({ db, mailer, publicUrl, now, wake: () => bells.webhooks() }),
    ...reportEffects({ db, mailer, publicUrl, now, principalOf: pushing.principalOf }),
    ...noticeEffects({ db, mailer, push, publicUrl, now }),
    ...freeTierEffects({ db, mailer, push, publicUrl, now }),
    ...connectionNoticeEffects({ db, mailer, push, publicUrl, now }),
    'invoices.takeBack': (effect: Parameters<AppDeps['payments']['takeBack']>[0]) => web().payments.takeBack(effect),
    ...companyEffects({ db, media, events, forgetSession: (id) => sessions.forget(id) }),
    ...privacyEffects({ db, media, events, sealer: data.sealer, now, ...data.erasing }),
    ...passwordResetEffects({ db, mailer, hashOf: (text) => web().tokens.hashOf(text), publicUrl, now }),
  }
}

function senderOf({ log, now }: House, data: Data, channels: Channels, tools: MediaTools) {
  const { db, facts, bulkFacts, emitCampaign, committed } = data
  const { wires, port, agentsFirst, sessions } = channels
  return createSender({
    db,
    now,
    log: log.child({ part: 'campaigns' }),
    facts,
    bulk: bulkFacts,
    openConnections: () => wires.openIds(),
    send: port.send,
    clear: () => agentsFirst.clear(),
    ahead: (id, people) => wires.ahead(id, people),
    held: (id, wids) => wires.held(id, wids),
    checkNumber: sessions.checkNumber,
    fileContent: (companyId, file) => fileContent(tools, companyId, file),
    changed: emitCampaign,
    committed,
  })
}
