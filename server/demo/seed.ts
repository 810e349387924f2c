import { eq } from 'drizzle-orm'
import { chatMessages, chats, chatUserId, chatUsers } from '../../schema/chats/chats.table.ts'
import { companies } from '../../schema/companies/companies.table.ts'
import { contacts, type NewContact } from '../../schema/contacts/contacts.table.ts'
import { phraseKey } from '../../schema/flows/flows.edits.inputs.ts'
import { newNodeId } from '../../schema/flows/flows.graph.ts'
import { frozen, nodeRowId } from '../../schema/flows/flows.rows.ts'
import { flowCampaigns, flowDefaults, flowNodes, flows, flowVersions } from '../../schema/flows/flows.table.ts'
import { templateGraph } from '../../schema/flows/flows.templates.ts'
import { uuidv7From, widOf } from '../../schema/ids.ts'
import { messages, type NewMessage } from '../../schema/messages/messages.table.ts'
import { ticketNotes } from '../../schema/notes/notes.table.ts'
import { plain } from '../../schema/plain.ts'
import { plans } from '../../schema/plans/plans.table.ts'
import { queues } from '../../schema/queues/queues.table.ts'
import { ratings } from '../../schema/ratings/ratings.table.ts'
import { quickMessages } from '../../schema/quick-messages/quick-messages.table.ts'
import { schedules } from '../../schema/schedules/schedules.table.ts'
import { settings } from '../../schema/settings/settings.table.ts'
import { tags } from '../../schema/tags/tags.table.ts'
import { type NewTicket, ticketEvents, ticketTrackings, tickets } from '../../schema/tickets/tickets.table.ts'
import { userQueues, users } from '../../schema/users/users.table.ts'
import { whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import { hashPassword } from '../auth/passwords.ts'
import { OPERATOR_COMPANY_ID } from '../../schema/companies/companies.subscription.ts'
import type { Db } from '../db/database.ts'
import type { Sealer } from '../seal.ts'
import { type DemoBots, seedBots } from './bots.ts'
import { seedCampaign } from './campaigns.ts'
import {
  among,
  closings,
  conversations,
  districts,
  firstNames,
  lastNames,
  openings,
  quickReplies,
  scheduled,
} from './texts.ts'

export interface DemoLogin {
  name: string
  email: string
  password: string
}

const COMPANY = 'Padaria Balcão'
const PASSWORD = 'balcao123'
const people = [
  { name: 'Helena Prado', email: 'admin@padaria.test', profile: 'admin', allTicket: true, queues: [0, 1, 2] },
  { name: 'Ana Ribeiro', email: 'ana@padaria.test', profile: 'user', allTicket: true, queues: [0, 1] },
  { name: 'Bruno Teixeira', email: 'bruno@padaria.test', profile: 'user', allTicket: false, queues: [1, 2] },
] as const

const CONTACTS = 300
const DAY_MS = 86_400_000

/**
 * A sample company with its people, queues and three weeks of conversations; and, on the simulated WhatsApp, phones
 * for all of its contacts. Does nothing where the company exists already.
 *
 * @param phone address of the simulated WhatsApp's control interface
 * @param bots simulated services, for an assistant and integrations
 */
export async function seedDemo({
  db,
  phone,
  bots,
  now = new Date(),
}: {
  db: Db
  phone?: string
  bots?: { services: DemoBots; sealer: Sealer } | undefined
  now?: Date
}): Promise<{ logins: DemoLogin[] }> {
  const logins = people.map(({ name, email }) => ({ name, email, password: PASSWORD }))
  const [found] = await db.select({ id: companies.id }).from(companies).where(eq(companies.name, COMPANY))
  const world = sampleContacts()
  if (!found) await db.transaction((tx) => fill(tx as unknown as Db, world, now))
  if (phone) await givePhones(phone, world)
  if (bots) {
    const [company] = found ? [found] : await db.select().from(companies).where(eq(companies.name, COMPANY))
    const { services, sealer } = bots
    await db.transaction((tx) =>
      seedBots(tx as unknown as Db, { companyId: company!.id, bots: services, sealer, now, isNew: !found }),
    )
  }
  return { logins }
}

/** The same people on every machine: chance with a fixed beginning. */
function chance(seed: number) {
  let state = seed
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  return {
    next,
    int: (from: number, to: number) => from + Math.floor(next() * (to - from + 1)),
    pick: <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T,
    bytes: (n: number) => Uint8Array.from({ length: n }, () => Math.floor(next() * 256)),
  }
}

const mailOf = (name: string, i: number) => `${plain(name).replace(/[^a-z]+/g, '.')}${i}@exemplo.test`
const dicedOf = <T>(seed: number, list: readonly T[]): T => chance(seed).pick(list)

function sampleContacts(): { name: string; number: string }[] {
  const dice = chance(7)
  return Array.from({ length: CONTACTS }, (_, i) => ({
    name: `${firstNames[i % firstNames.length]} ${dice.pick(lastNames)}`,
    number: `55119${String(40_000_001 + i * 131)}`,
  }))
}

async function fill(db: Db, people_: { name: string; number: string }[], now: Date): Promise<void> {
  const dice = chance(42)
  const [plan] = await db
    .insert(plans)
    .values({ name: 'Demonstração', users: 10, connections: 5, queues: 10, value: '99.00' })
    .returning()
  const [company] = await db
    .insert(companies)
    .values({
      name: COMPANY,
      email: 'contato@padaria.test',
      phone: '1130000000',
      planId: plan!.id,
      dueDate: isoDay(now.getTime() + 365 * DAY_MS),
    })
    .returning()
  const companyId = company!.id
  const madeQueues = await db
    .insert(queues)
    .values([
      {
        companyId,
        name: 'Encomendas',
        color: '#16a34a',
        orderQueue: 1,
        greetingMessage: 'Olá! Qual encomenda você gostaria de fazer?',
      },
      {
        companyId,
        name: 'Entregas',
        color: '#0284c7',
        orderQueue: 2,
        greetingMessage: 'Olá! Vamos ver a sua entrega.',
      },
      {
        companyId,
        name: 'Financeiro',
        color: '#d97706',
        orderQueue: 3,
        greetingMessage: 'Olá! Em que podemos ajudar no financeiro?',
      },
    ])
    .returning()
  const madeTags = await db
    .insert(tags)
    .values([
      { companyId, name: 'Cliente fiel', color: '#7c3aed' },
      { companyId, name: 'Urgente', color: '#dc2626' },
      { companyId, name: 'Evento', color: '#0d9488' },
    ])
    .returning()
  const lanes = await db
    .insert(tags)
    .values([
      { companyId, name: 'Orçamento enviado', color: '#2563eb', kanban: 1, laneOrder: 1 },
      { companyId, name: 'Aguardando pagamento', color: '#ca8a04', kanban: 1, laneOrder: 2, laneLimit: 8 },
      { companyId, name: 'Pronto para retirar', color: '#16a34a', kanban: 1, laneOrder: 3 },
    ])
    .returning()
  const [connection] = await db
    .insert(whatsapps)
    .values({
      companyId,
      name: 'Balcão principal',
      isDefault: true,
      token: Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString('base64url'),
      completionMessage: 'Obrigado pela preferência! 🥖',
    })
    .returning()
  await db.insert(settings).values([
    { companyId, key: 'sendMsgTransfTicket', value: 'disabled' },
    // Who looks around may sign up, too.
    { companyId: OPERATOR_COMPANY_ID, key: 'allowregister', value: 'enabled' },
    { companyId: OPERATOR_COMPANY_ID, key: 'viewregister', value: 'enabled' },
  ])
  await drawFlows(db, { companyId, whatsappId: connection!.id, queueIds: madeQueues.map(({ id }) => id) }, now)
  const passwordHash = await hashPassword(PASSWORD)
  const madeUsers = await db
    .insert(users)
    .values(
      people.map(({ name, email, profile, allTicket }) => ({
        companyId,
        name,
        email,
        profile,
        allTicket,
        passwordHash,
        whatsappId: connection!.id,
      })),
    )
    .returning()
  await db
    .insert(userQueues)
    .values(
      people.flatMap((p, i) =>
        p.queues.map((q) => ({ companyId, userId: madeUsers[i]!.id, queueId: madeQueues[q]!.id })),
      ),
    )

  const madeContacts = await db
    .insert(contacts)
    .values(
      people_.map(
        (p, i): NewContact => ({
          companyId,
          name: p.name,
          number: p.number,
          // Some left their address, some of those with what the bakery has to know.
          ...(i % 3 === 1 && { email: mailOf(p.name, i) }),
          ...(i % 12 === 4 && { extraInfo: [{ id: `demo-${i}`, name: 'Bairro', value: dicedOf(i, districts) }] }),
          nameSource: 'push',
          activeOn: isoDay(now.getTime() - dice.int(0, 20) * DAY_MS),
        }),
      ),
    )
    .returning()

  await seedCampaign(
    db,
    { companyId, whatsappId: connection!.id, queueId: madeQueues[0]!.id, tagId: madeTags[0]!.id },
    now,
  )
  await fillChats(db, companyId, madeUsers, now)
  await db
    .insert(quickMessages)
    .values(quickReplies.map((reply) => ({ companyId, userId: madeUsers[0]!.id, isGeneral: true, ...reply })))
  const keys = chance(23)
  await db.insert(schedules).values(
    scheduled.map(([author, body, days, hour], i) => ({
      id: uuidv7From(now.getTime(), keys.bytes(10)),
      companyId,
      contactId: madeContacts[i * 7]!.id,
      userId: madeUsers[author]!.id,
      body,
      sendAt: new Date(Date.parse(isoDay(now.getTime() + days * DAY_MS)) + hour * 3_600_000),
    })),
  )

  // Every contact was served once; some of them twice. The newest are being served, or wait.
  const services = [
    ...madeContacts.map((contact, i) => ({ contact, age: i })),
    ...madeContacts.slice(40, 100).map((contact, i) => ({ contact, age: i + CONTACTS })),
  ]
  const agents = madeUsers.slice(1)
  const opinions = chance(57)
  for (const { contact, age } of services) {
    const status = age < 14 ? 'pending' : age < 38 ? 'open' : 'closed'
    const queueIndex = dice.int(0, 2)
    const queue = status === 'pending' && age % 4 === 0 ? null : madeQueues[queueIndex]!
    const agent = queueIndex === 0 ? agents[0]! : queueIndex === 2 ? agents[1]! : dice.pick(agents)
    const endedAt =
      now.getTime() -
      (status === 'closed'
        ? (age - 37) * 80 * 60_000 + dice.int(0, 40 * 60_000)
        : age * 9 * 60_000 + dice.int(20_000, 8 * 60_000))
    const lines = conversation(dice, status)
    // A few minutes between the lines, the last one at the end.
    const times = lines
      .map((_, i) => endedAt - (lines.length - 1 - i) * dice.int(60_000, 160_000))
      .sort((a, b) => a - b)
    const startedAt = new Date(times[0]!)
    const last = lines.at(-1)!
    const ticket: NewTicket = {
      companyId,
      contactId: contact.id,
      whatsappId: connection!.id,
      status,
      queueId: queue?.id ?? null,
      userId: status === 'pending' ? null : agent.id,
      lastMessage: last.text,
      lastMessageAt: new Date(times.at(-1)!),
      lastMessageFromMe: last.ours,
      unreadMessages: status === 'pending' ? lines.length : last.ours ? 0 : trailing(lines),
      tagIds: [
        ...(dice.next() < 0.35 ? [dice.pick(madeTags).id] : []),
        // The board of what is open: every fourth is in no lane yet.
        ...(status === 'open' && age % 4 > 0 ? [lanes[(age % 4) - 1]!.id] : []),
      ],
      createdAt: startedAt,
      updatedAt: new Date(times.at(-1)!),
    }
    const [made] = await db.insert(tickets).values(ticket).returning()
    const acceptedAt = new Date(times[0]! + 45_000)
    const [tracking] = await db
      .insert(ticketTrackings)
      .values({
        companyId,
        ticketId: made!.id,
        whatsappId: connection!.id,
        userId: ticket.userId ?? null,
        queuedAt: startedAt,
        startedAt: status === 'pending' ? null : acceptedAt,
        finishedAt: status === 'closed' ? new Date(endedAt) : null,
        createdAt: startedAt,
      })
      .returning()
    // Half of those who were served say how it was: most liked it.
    const opinion = status === 'closed' ? opinions.next() : 1
    if (opinion < 0.5) {
      const rate = opinion < 0.03 ? 1 : opinion < 0.14 ? 2 : 3
      const ratedAt = new Date(endedAt + 4 * 60_000)
      await db
        .update(ticketTrackings)
        .set({ rated: true, ratingAt: new Date(endedAt) })
        .where(eq(ticketTrackings.id, tracking!.id))
      await db
        .insert(ratings)
        .values({ companyId, ticketId: made!.id, trackingId: tracking!.id, userId: agent.id, rate, createdAt: ratedAt })
      await db.insert(ticketEvents).values({
        id: `demo:${made!.id}:rated`,
        companyId,
        ticketId: made!.id,
        kind: 'rated',
        data: { rate },
        createdAt: ratedAt,
      })
    }
    const unreadFrom = lines.length - (ticket.unreadMessages ?? 0)
    await db.insert(messages).values(
      lines.map((line, i): NewMessage => {
        const id = uuidv7From(times[i]!, dice.bytes(10))
        return {
          id,
          companyId,
          ticketId: made!.id,
          contactId: contact.id,
          whatsappId: connection!.id,
          wid: widOf(id),
          fromMe: line.ours,
          authorId: line.ours ? agent.id : null,
          body: line.ours && i === 1 ? `*${agent.name}*:\n${line.text}` : line.text,
          read: line.ours || i < unreadFrom,
          ack: line.ours ? (dice.next() < 0.8 ? 4 : 3) : 1,
          createdAt: new Date(times[i]!),
          updatedAt: new Date(times[i]!),
        }
      }),
    )
    await db.insert(ticketEvents).values([
      {
        id: `demo:${made!.id}:created`,
        companyId,
        ticketId: made!.id,
        kind: 'created' as const,
        createdAt: startedAt,
      },
      ...(status === 'pending'
        ? []
        : [
            {
              id: `demo:${made!.id}:accepted`,
              companyId,
              ticketId: made!.id,
              kind: 'accepted' as const,
              userId: agent.id,
              createdAt: acceptedAt,
            },
          ]),
      ...(status === 'closed'
        ? [
            {
              id: `demo:${made!.id}:resolved`,
              companyId,
              ticketId: made!.id,
              kind: 'resolved' as const,
              userId: agent.id,
              createdAt: new Date(endedAt),
            },
          ]
        : []),
    ])
    if (age % 9 === 5)
      await db.insert(ticketNotes).values({
        id: uuidv7From(endedAt, dice.bytes(10)),
        companyId,
        ticketId: made!.id,
        contactId: contact.id,
        userId: agent.id,
        note: dice.pick([
          'Prefere retirar depois das 18 h.',
          'Pediu nota fiscal no CNPJ da empresa.',
          'Alérgica a nozes: conferir com a cozinha.',
        ]),
        createdAt: new Date(endedAt),
      })
  }
}

/** Whoever writes meets the bakery's bot, and can go on to another flow by a word. */
async function drawFlows(
  db: Db,
  { companyId, whatsappId, queueIds }: { companyId: number; whatsappId: number; queueIds: number[] },
  now: Date,
): Promise<void> {
  const dice = chance(31)
  const drawn = [
    { name: 'Encomendas da padaria', template: 'bakeryOrders', queueId: queueIds[0]! },
    { name: 'Festas e bolos', template: 'bakeryParties', queueId: queueIds[0]! },
  ] as const
  const ids: number[] = []
  for (const { name, template, queueId } of drawn) {
    const graph = templateGraph(template, { queueId, newId: () => newNodeId(dice.bytes(30)) })
    const [flow] = await db.insert(flows).values({ companyId, name, createdAt: now, updatedAt: now }).returning()
    const flowId = flow!.id
    const nodes = frozen(graph)
    await db
      .insert(flowNodes)
      .values(nodes.map((one) => ({ ...one, id: nodeRowId(flowId, one.node), companyId, flowId, updatedAt: now })))
    const [version] = await db
      .insert(flowVersions)
      .values({ companyId, flowId, number: 1, nodes, createdAt: now })
      .returning()
    await db.update(flows).set({ versionId: version!.id }).where(eq(flows.id, flowId))
    ids.push(flowId)
  }
  const [orders, parties] = ids
  await db.insert(flowDefaults).values({ companyId, flowIdWelcome: orders!, flowIdNotPhrase: orders! })
  await db
    .insert(flowCampaigns)
    .values({ companyId, name: 'Festas', flowId: parties!, whatsappId, phrase: 'festa', phraseKey: phraseKey('festa') })
}

/** What the people tell each other; the last lines of each chat are not read yet. */
async function fillChats(db: Db, companyId: number, team: { id: number }[], now: Date): Promise<void> {
  const dice = chance(11)
  for (const { title, members, lines } of among) {
    const at = lines.map(([, , minutesAgo]) => new Date(now.getTime() - minutesAgo * 60_000))
    const [chat] = await db
      .insert(chats)
      .values({
        companyId,
        title,
        ownerId: team[members[0]!]!.id,
        lastMessage: lines.at(-1)![1],
        createdAt: new Date(at[0]!.getTime() - 60_000),
        updatedAt: at.at(-1)!,
      })
      .returning()
    const chatId = chat!.id
    await db.insert(chatUsers).values(
      members.map((member) => {
        const userId = team[member]!.id
        return { id: chatUserId(chatId, userId), companyId, chatId, userId }
      }),
    )
    const rows = lines.map(([member, message], i) => ({
      id: uuidv7From(at[i]!.getTime(), dice.bytes(10)),
      companyId,
      chatId,
      senderId: team[member]!.id,
      message,
      createdAt: at[i]!,
    }))
    const unread = rows.length - 2
    await db.insert(chatMessages).values(rows.slice(0, unread))
    await db
      .update(chatUsers)
      .set({ unreads: 0, readAt: at[unread - 1]! })
      .where(eq(chatUsers.chatId, chatId))
    await db.insert(chatMessages).values(rows.slice(unread))
  }
}

interface Line {
  ours: boolean
  text: string
}

function conversation(dice: ReturnType<typeof chance>, status: 'pending' | 'open' | 'closed'): Line[] {
  const opening: Line = { ours: false, text: dice.pick(openings) }
  const body = dice.pick(conversations).map(([who, text]): Line => ({ ours: who === 'us', text }))
  if (status === 'pending') return [opening, ...(dice.next() < 0.5 ? [body.find((l) => !l.ours) ?? opening] : [])]
  const closing: Line[] = dice.pick(closings).map(([who, text]) => ({ ours: who === 'us', text }))
  if (status === 'closed') return [opening, ...body, ...closing]
  return [opening, ...body.slice(0, dice.int(2, body.length))]
}

function trailing(lines: Line[]): number {
  let count = 0
  for (let i = lines.length - 1; i >= 0 && !lines[i]!.ours; i--) count++
  return count
}

const isoDay = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/** Phones for the company's contacts, so that what is written to them arrives. Those that exist stay as they are. */
async function givePhones(phone: string, world: { name: string; number: string }[]): Promise<void> {
  const state = (await (await fetch(new URL('/ctl/state', phone))).json()) as { contacts: { number: string }[] }
  const there = new Set(state.contacts.map((c) => c.number))
  for (const person of world) {
    if (there.has(person.number)) continue
    const response = await fetch(new URL('/ctl/contacts', phone), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(person),
    })
    await response.body?.cancel()
  }
}
