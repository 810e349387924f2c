import { hostname } from 'node:os'
import { createAnswers } from '../automation/automation.answer.ts'
import { createCampaignReplies } from '../campaigns/campaigns.answers.ts'
import { stopLine, stopRefused } from '../campaigns/campaigns.stop.ts'
import type { InboundEvent } from '../../schema/messages/messages.inbound.ts'
import { forJobs } from '../channels/channels.jobs.ts'
import { providerOf, wantedBesides } from '../whatsapps/whatsapps.queries.ts'
import { createChannels } from '../channels/channels.ts'
import { dataDirSecret } from '../data-dir.ts'
import { countConnection } from '../figures.ts'
import { freeOwn, workerName } from '../jobs/left.ts'
import { createRightOfWay, type RightOfWay } from '../right-of-way.ts'
import { createCloud } from '../cloud/cloud.channel.ts'
import { createCloudDesk } from '../cloud/cloud.desk.ts'
import { adoptPortfolio, type Owned } from '../contacts/contacts.portfolio.ts'
import { createReceiver } from '../tickets/receive.ts'
import { fileSoon } from '../tickets/history.changes.ts'
import { contactOfChat } from '../tickets/tickets.events.ts'
import { createAlive, sharedAlive } from '../leases/alive.ts'
import { baileysChannel } from '../whatsapp/baileys.channel.ts'
import { createActivity } from '../whatsapps/whatsapps.activity.ts'
import { notePreferences } from '../opt-outs/opt-outs.changes.ts'
import { fetchSoon, templatesChanged } from '../templates/templates.changes.ts'
import { callSessions } from '../whatsapps/whatsapps.remote.ts'
import { tellAdmins } from '../whatsapps/whatsapps.notices.ts'
import { sessionRecorder, sessionsFor } from '../whatsapps/whatsapps.sessions.ts'
import type { Data } from './data.ts'
import type { House } from './house.ts'

export type Channels = Awaited<ReturnType<typeof buildChannels>>

/** The wires: what comes in goes to the receiver, what goes out waits for an open link. */
export async function buildChannels(house: House, data: Data) {
  const { config, log, now, stops } = house
  const { db, sql, shared } = data
  const slot = house.options.lodging?.slot ?? 'a'
  // The same name after a restart, also after a crash: what this server had leased is its own still. Nobody else has it,
  // for the folder is locked; a copy of the folder on another machine is another server.
  const serverId = `${hostname()}/${dataDirSecret(config.dataDir, slot === 'a' ? 'server.id' : `server.${slot}.id`, () => crypto.randomUUID())}`
  // An agent's message, from the call until WhatsApp has it.
  const agentsFirst = createRightOfWay({
    ...{ mostMs: 150, patienceMs: 60 },
    ...(data.between && { between: data.between }),
  })
  // Whoever called is waiting, and what they said earlier is not: it leaves when the calls at hand are written.
  const callsFirst = new Map<number, RightOfWay>()
  const activity = createActivity({ db, events: data.events, now, log: log.child({ part: 'activity' }) })
  const receive = receiverOf(house, data)
  const ears = sessionListeners(house, data)
  const received = async (inbound: InboundEvent[]) => {
    const began = performance.now()
    const count = (outcome: 'good' | 'failed') => {
      for (const id of new Set(inbound.map(({ whatsappId }) => whatsappId)))
        countConnection(id, 'in', outcome, performance.now() - began)
    }
    await receive(inbound).catch((error: unknown) => {
      count('failed')
      throw error
    })
    count('good')
    for (const event of inbound) if (event.kind === 'ack') agentsFirst.ends(event.wid)
    activity.came(inbound)
  }
  // Two locks of one name would keep each other out.
  const worker = workerName(serverId)
  await freeOwn(sql, worker)
  const alive = sharedAlive((lost) =>
    createAlive({ url: data.databaseUrl, owner: serverId, worker, sql: data.ears, log, lost }),
  )
  const baileys = baileysChannel({
    sql,
    encryptionKey: Buffer.from(config.encryptionKey),
    serverId,
    waSocket: {
      url: config.whatsapp.wsUrl ?? null,
      certKey: config.whatsapp.certKey ? Buffer.from(config.whatsapp.certKey) : null,
    },
    outside: data.outside,
    localMedia: data.patient.local,
    receive: received,
    ...ears,
    ...(shared && { alive }),
    acceptsGroups: async (companyId) => (await data.facts.of(companyId)).settings.CheckMsgIsGroup === 'disabled',
    log,
  })
  const onOwner = async (owned: Owned) => {
    const changes = await db.transaction((tx) => adoptPortfolio(tx, owned))
    if (changes.length > 0) data.committed(changes)
  }
  const cloud = createCloud({
    ...{ sql, sealer: data.sealer, serverId, base: config.cloudApiUrl, outside: data.outside, now, log },
    ...{ localMedia: data.patient.local, receive: received, onSession: ears.onSession },
    onPreferences: async (preferences) => {
      for (const campaign of await notePreferences(db, preferences)) data.emitCampaign(campaign)
      for (const companyId of new Set(preferences.map((one) => one.companyId)))
        data.events.emit({ companyId, name: 'optOut', action: 'reload' })
    },
    onRefused: async ({ companyId, whatsappId }, refusal) => {
      // What is wrong with a template stands at the service.
      if (refusal.failure === 'template') await fetchSoon(db, companyId, whatsappId, now())
      const paused = await db.transaction((tx) => stopRefused(tx, whatsappId, refusal, now()))
      for (const campaign of paused) data.emitCampaign(campaign)
    },
    onOwner,
    onWarning: ({ companyId, whatsappId }, warning, at) =>
      db.transaction((tx) => tellAdmins(tx, companyId, whatsappId, warning, at)),
    onTemplates: (connections, notices) => templatesChanged(db, connections, notices, now()),
    onHistory: ({ companyId, whatsappId }, pieces) => fileSoon(db, companyId, whatsappId, pieces),
    ...(shared && { alive }),
  })
  const desk = createCloudDesk({ db, sealer: data.sealer, base: config.cloudApiUrl, now, onOwner })
  const wires = createChannels({
    wires: [baileys, cloud.channel],
    providerOf: (id) => providerOf(db, id),
    wantedBesides: (providers) => wantedBesides(db, providers),
    onSession: ears.onSession,
  })
  const calls = await callSessions({ db, sql: data.ears, runner: wires, serverId, shared, log })
  stops.push(() => calls.close())
  stops.push(() => wires.stop())
  const port = forJobs(wires, {
    clear: () => agentsFirst.clear(),
    went: (whatsappId) => activity.went(whatsappId),
  })
  const { isOurs, take } = cloud.inbox
  const official = { ...desk, isOurs, take }
  return {
    serverId,
    worker,
    isSeen: alive.isSeen,
    wires,
    history: cloud.history,
    official,
    port,
    agentsFirst,
    callsFirst,
    sessions: sessionsFor({ db, runner: calls }),
  }
}

/** What is made of that which comes in. */
function receiverOf({ log, now }: House, data: Data) {
  const { db, facts, committed, rules, graphs, bells } = data
  const answers = createAnswers({ rules, graphs, log: log.child({ part: 'automation' }) })
  const bulk = createCampaignReplies({
    bulk: data.bulkFacts,
    changed: data.emitCampaign,
    poke: (id) => bells.campaign(id),
  })
  return createReceiver({ db, now, facts, committed, mayWake: data.push.mayWake, answers, bulk })
}

/** Who hears of a link, and of a contact who is typing. */
function sessionListeners({ log, now }: House, { db, events, nudge, emitCampaign, bells }: Data) {
  const recordSession = sessionRecorder({ db, events, now })
  return {
    onSession: async (id, change) => {
      await recordSession(id, change)
      nudge()
      if (change.status === 'CONNECTED') bells.jobs()
      // A lock that is lifted is over at once.
      if (change.newChats) bells.campaign(id)
      // The phone is unlinked: whether its campaigns go on over another one, a person says.
      if (change.status === 'PENDING')
        for (const campaign of await db.transaction((tx) => stopLine(tx, id, 'logout', now()))) emitCampaign(campaign)
    },
    onTyping: ({ companyId, whatsappId, chat, state }) => {
      void contactOfChat(db, companyId, whatsappId, chat)
        .then((ticket) => {
          if (ticket)
            events.emit({
              companyId,
              name: 'typing',
              action: state,
              payload: { ticketId: ticket.id, contactId: ticket.contactId },
              audience: { ticket },
            })
        })
        .catch((err: unknown) => log.debug({ err }, 'typing was not told'))
    },
  } satisfies Partial<Parameters<typeof baileysChannel>[0]>
}
