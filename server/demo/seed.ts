import { and, eq, isNull } from 'drizzle-orm'
import { chatMessages, chats, chatUserId, chatUsers } from '../../schema/chats/chats.table.ts'
import { companies } from '../../schema/companies/companies.table.ts'
import { contacts, type NewContact } from '../../schema/contacts/contacts.table.ts'
import { phraseKey } from '../../schema/flows/flows.edits.inputs.ts'
import { newNodeId } from '../../schema/flows/flows.graph.ts'
import { frozen, nodeRowId } from '../../schema/flows/flows.rows.ts'
import { flowCampaigns, flowDefaults, flowNodes, flows, flowVersions } from '../../schema/flows/flows.table.ts'
import { templateGraph } from '../../schema/flows/flows.templates.ts'
import { uuidv7From } from '../../schema/ids.ts'
import { plain } from '../../schema/plain.ts'
import { plans } from '../../schema/plans/plans.table.ts'
import { type Queue, queues } from '../../schema/queues/queues.table.ts'
import { quickMessages } from '../../schema/quick-messages/quick-messages.table.ts'
import { schedules } from '../../schema/schedules/schedules.table.ts'
import { settings } from '../../schema/settings/settings.table.ts'
import { tags } from '../../schema/tags/tags.table.ts'
import { userQueues, users } from '../../schema/users/users.table.ts'
import { type Whatsapp, whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import { hashPassword } from '../auth/passwords.ts'
import { weekdays } from '../../schema/hours/hours.open.ts'
import { wallOf } from '../../schema/wall.ts'
import type { MediaStore } from '../media/media-store.ts'
import { OPERATOR_COMPANY_ID } from '../../schema/companies/companies.subscription.ts'
import type { Db } from '../db/database.ts'
import type { Events } from '../events/bus.ts'
import type { Sealer } from '../seal.ts'
import { type DemoBots, seedBots } from './bots.ts'
import { seedCampaign } from './campaigns.ts'
import { chance, facesFor, isoDay, sampleFiles } from './files.ts'
import { furnishDesk, hireTeam, teamQueues } from './desk.ts'
import { fillServices, fillTeam, membersOf } from './services.ts'
import { among, districts, firstNames, groups, lastNames, quickReplies, scheduled } from './texts.ts'
import { DAY_MS } from '../../schema/durations.ts'

export interface DemoLogin {
  name: string
  email: string
  password: string
}

const COMPANY = 'Padaria Balcão'
const CONNECTION = 'Balcão principal'
const PASSWORD = 'balcao123'
const people = [
  { name: 'Helena Prado', email: 'admin@padaria.test', profile: 'admin', allTicket: true, queues: [0, 1, 2] },
  { name: 'Ana Ribeiro', email: 'ana@padaria.test', profile: 'user', allTicket: true, queues: [0, 1] },
  { name: 'Bruno Teixeira', email: 'bruno@padaria.test', profile: 'user', allTicket: false, queues: [1, 2] },
] as const

/** Those of the first three queues, and the team's. */
const CONTACTS = 300
const TEAM_CONTACTS = 60
const LINK_MS = 30_000
const TIME_ZONE = 'America/Sao_Paulo'
const weekdayNames = [
  'Segunda-feira',
  'Terça-feira',
  'Quarta-feira',
  'Quinta-feira',
  'Sexta-feira',
  'Sábado',
  'Domingo',
] as const

/**
 * A sample company with its people, queues and three weeks of conversations; and, on the simulated WhatsApp, phones
 * for all of its contacts. Does nothing where the company exists already.
 *
 * @param media where their pictures, voice notes and files go
 * @param phone address of the simulated WhatsApp's control interface
 * @param bots simulated services, for an assistant and integrations
 */
export async function seedDemo({
  db,
  media,
  phone,
  bots,
  now = new Date(),
}: {
  db: Db
  media: MediaStore
  phone?: string
  bots?: { services: DemoBots; sealer: Sealer } | undefined
  now?: Date
}): Promise<{ logins: DemoLogin[] }> {
  const logins = people.map(({ name, email }) => ({ name, email, password: PASSWORD }))
  const [found] = await db.select({ id: companies.id }).from(companies).where(eq(companies.name, COMPANY))
  const world = sampleContacts()
  if (!found) await db.transaction((tx) => fill(tx as unknown as Db, media, world, now))
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

/**
 * Links the sample company's connection to its simulated phone, so that the first message is only to be written. One that
 * was linked before is left as people have it.
 *
 * @throws when it takes too long, or the phone refuses
 */
export async function linkDemo(
  { db, events, sessions }: { db: Db; events: Events; sessions: { start(whatsappId: number): Promise<void> } },
  phone: string,
): Promise<void> {
  const [connection] = await db
    .select({ id: whatsapps.id })
    .from(whatsapps)
    .innerJoin(companies, eq(companies.id, whatsapps.companyId))
    .where(and(eq(companies.name, COMPANY), eq(whatsapps.name, CONNECTION), isNull(whatsapps.connectedAt)))
  if (!connection) return
  const { promise: linked, resolve, reject } = Promise.withResolvers<void>()
  const late = setTimeout(() => reject(new Error('The simulated phone was not linked in time')), LINK_MS)
  let shown = ''
  const stop = events.listen(({ name, payload }) => {
    if (name !== 'whatsappSession' || typeof payload !== 'object') return
    const session = payload['session'] as { id: number; status: string; qrcode: string }
    if (session.id !== connection.id) return
    if (session.status === 'CONNECTED') resolve()
    if (session.qrcode === '' || session.qrcode === shown) return
    shown = session.qrcode
    receive(phone, '/ctl/scan', { qr: shown }).catch(reject)
  })
  try {
    await sessions.start(connection.id)
    await linked
  } finally {
    clearTimeout(late)
    stop()
  }
}

const mailOf = (name: string, i: number) => `${plain(name).replace(/[^a-z]+/g, '.')}${i}@exemplo.test`
const dicedOf = <T>(seed: number, list: readonly T[]): T => chance(seed).pick(list)

function sampleContacts(): { name: string; number: string }[] {
  const dice = chance(7)
  const first = firstNames.map(() => dice.int(0, lastNames.length - 1))
  return Array.from({ length: CONTACTS + TEAM_CONTACTS }, (_, i) => {
    const at = i % firstNames.length
    // No two of one first name have the same last name.
    const last = lastNames[(first[at]! + 3 * Math.floor(i / firstNames.length)) % lastNames.length]!
    return { name: `${firstNames[at]} ${last}`, number: `55119${String(40_000_001 + i * 131)}` }
  })
}

async function fill(db: Db, media: MediaStore, people_: { name: string; number: string }[], now: Date): Promise<void> {
  const [plan] = await db
    .insert(plans)
    .values({ name: 'Demonstração', users: 30, connections: 5, queues: 10, value: '99.00' })
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
  const madeQueues = await fillQueues(db, companyId, now)
  const { madeTags, lanes } = await fillTags(db, companyId)
  const [connection] = await db
    .insert(whatsapps)
    .values({
      companyId,
      name: CONNECTION,
      isDefault: true,
      token: Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString('base64url'),
      completionMessage: 'Obrigado pela preferência! 🥖',
    })
    .returning()
  await db.insert(settings).values([
    { companyId, key: 'sendMsgTransfTicket', value: 'disabled' },
    { companyId, key: 'scheduleType', value: 'queue' },
    { companyId, key: 'userRating', value: 'enabled' },
    { companyId, key: 'CheckMsgIsGroup', value: 'disabled' },
    // Who looks around may sign up, too.
    { companyId: OPERATOR_COMPANY_ID, key: 'allowregister', value: 'enabled' },
    { companyId: OPERATOR_COMPANY_ID, key: 'viewregister', value: 'enabled' },
  ])
  await drawFlows(db, { companyId, whatsappId: connection!.id, queueIds: madeQueues.map(({ id }) => id) }, now)
  const passwordHash = await hashPassword(PASSWORD)
  const madeUsers = await fillUsers(db, connection!, madeQueues, passwordHash)
  const tagIds = madeTags.map(({ id }) => id)
  const queueIds = madeQueues.map(({ id }) => id)
  const hired = await hireTeam(db, { companyId, whatsappId: connection!.id, passwordHash }, { queueIds, tagIds }, now)
  const madeContacts = await fillContacts(db, media, companyId, people_, now)

  await seedCampaign(
    db,
    { companyId, whatsappId: connection!.id, queueId: madeQueues[0]!.id, tagId: madeTags[0]!.id },
    now,
  )
  const madeGroups = await db
    .insert(contacts)
    .values(
      groups.map(
        ({ title }, i): NewContact => ({
          ...{ companyId, name: title, number: groupNumber(i), isGroup: true, nameSource: 'push' },
          activeOn: isoDay(now.getTime()),
        }),
      ),
    )
    .returning()
  await fillChats(db, companyId, madeUsers, now)
  await fillWrittenAhead(db, companyId, madeUsers, madeContacts, now)

  const of = {
    ...{ companyId, whatsappId: connection!.id, queues: madeQueues, tags: madeTags, lanes },
    files: await sampleFiles(media, companyId),
  }
  const [served, ofTeam] = [madeContacts.slice(0, CONTACTS), madeContacts.slice(CONTACTS)]
  await fillServices(db, { ...of, contacts: served, groups: madeGroups, agents: madeUsers.slice(1) }, now)
  await fillTeam(db, { ...of, contacts: ofTeam, agents: hired }, now)
  await furnishDesk(db, { companyId, headId: madeUsers[0]!.id, queueIds, tagIds }, now)
}

async function fillQueues(db: Db, companyId: number, now: Date): Promise<Queue[]> {
  return db
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
        outOfHoursMessage: closedToday,
        schedules: officeHours(now),
      },
      ...teamQueues.map((queue) => ({ companyId, ...queue })),
    ])
    .returning()
}

/** Tags, and those that are lanes of the board. */
async function fillTags(db: Db, companyId: number) {
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
  return { madeTags, lanes }
}

/** The people who work there, in their queues. */
async function fillUsers(
  db: Db,
  { id: whatsappId, companyId }: Whatsapp,
  madeQueues: readonly Queue[],
  passwordHash: string,
) {
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
        whatsappId,
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
  return madeUsers
}

async function fillContacts(
  db: Db,
  media: MediaStore,
  companyId: number,
  people_: readonly { name: string; number: string }[],
  now: Date,
) {
  const dice = chance(42)
  const faces = await facesFor(media, companyId, people_.length)
  return db
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
          profilePicUrl: faces[i] ?? null,
          createdAt: new Date(now.getTime() - (18 + dice.int(0, 300) + dice.next()) * DAY_MS),
          activeOn: isoDay(now.getTime() - dice.int(0, 20) * DAY_MS),
        }),
      ),
    )
    .returning()
}

/** What the people who work there have written for later: quick messages and schedules. */
async function fillWrittenAhead(
  db: Db,
  companyId: number,
  madeUsers: readonly { id: number }[],
  madeContacts: readonly { id: number }[],
  now: Date,
): Promise<void> {
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
}

const closedToday =
  'Hoje o financeiro não atende. Voltamos no próximo dia útil às 9 h e respondemos assim que abrirmos.'

/** Office hours, except on the day on which the sample is made: so there is a queue that is closed. */
function officeHours(now: Date) {
  const today = wallOf(now, TIME_ZONE).weekday.toLowerCase()
  return weekdays.map((weekdayEn, i) => {
    const open = weekdayEn !== today && i < 5
    return {
      weekday: weekdayNames[i]!,
      weekdayEn,
      startTime: open ? '09:00' : '00:00',
      endTime: open ? '17:00' : '00:00',
    }
  })
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

const groupNumber = (i: number) => `12036304000000000${i}`

/** Phones for the company's contacts, and their groups, so that what is written to them arrives. Those that exist stay. */
async function givePhones(phone: string, world: { name: string; number: string }[]): Promise<void> {
  const state = (await (await fetch(new URL('/ctl/state', phone))).json()) as { contacts: { number: string }[] }
  const there = new Set(state.contacts.map((c) => c.number))
  if (world.every(({ number }) => there.has(number))) return
  for (const person of world) if (!there.has(person.number)) await receive(phone, '/ctl/contacts', person)
  for (const [i, { title }] of groups.entries())
    await receive(phone, '/ctl/groups', {
      ...{ id: groupNumber(i), subject: title },
      members: membersOf(world, i).map(({ number }) => number),
    })
}

/** @throws with the phone's reason when it refuses */
async function receive(phone: string, path: string, body: object): Promise<void> {
  const response = await fetch(new URL(path, phone), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const said = await response.text()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${said}`)
}
