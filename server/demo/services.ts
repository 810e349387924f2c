import { sql } from 'drizzle-orm'
import type { Contact } from '../../schema/contacts/contacts.table.ts'
import { uuidv7From, widOf } from '../../schema/ids.ts'
import { previewOf as linePreview } from '../../schema/messages/messages.content.ts'
import { messages, type NewMessage } from '../../schema/messages/messages.table.ts'
import { ticketNotes } from '../../schema/notes/notes.table.ts'
import type { Queue } from '../../schema/queues/queues.table.ts'
import { ratings } from '../../schema/ratings/ratings.table.ts'
import { type NewTicket, ticketEvents, ticketTrackings, tickets } from '../../schema/tickets/tickets.table.ts'
import type { Db } from '../db/database.ts'
import { missedCallBody } from '../tickets/tickets.notices.ts'
import { chance, type Chance, type SampleFile } from './files.ts'
import { closings, groups, type Said, stories, type Story, teamStories } from './texts.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../schema/durations.ts'

/** What the services of the sample are about. */
export interface ServicesOf {
  companyId: number
  whatsappId: number
  contacts: Pick<Contact, 'id' | 'name' | 'number'>[]
  /** In the order of `groups`. */
  groups: { id: number }[]
  queues: Pick<Queue, 'id' | 'name' | 'outOfHoursMessage'>[]
  /** The first is in the first two queues, the second in the last two. */
  agents: { id: number; name: string; queue?: number | undefined }[]
  tags: { id: number }[]
  lanes: { id: number }[]
  files: ReadonlyMap<string, SampleFile>
}

/** The bakery in its own zone: people write while it is open. */
const TIME_ZONE = 'America/Sao_Paulo'
const ZONE_MS = -3 * HOUR_MS
const OPENS_MS = 6.5 * HOUR_MS
const OPEN_MS = 13 * HOUR_MS

const PENDING = 14
const OPEN = 24
/** Services of the last hours; those being served and older began before. */
const TODAY = 26

/** Of the team's contacts so many wait; what is theirs counts from here, by odd numbers: each has a queue and a lane. */
const TEAM_WAITING = 7
const TEAM_FROM = 1_001

/** So many parameters a statement of Postgres takes, at the columns of a message. */
const ROWS_AT_ONCE = 500

interface Line {
  ours: boolean
  text: string
  file?: SampleFile | undefined
  /** A line of the machine, such as a missed call or the word that nobody is there. */
  by?: 'call' | 'notice'
  /** Days that nobody said anything before it. */
  daysBefore?: number
}

type Rows = {
  tickets: NewTicket[]
  messages: NewMessage[]
  events: (typeof ticketEvents.$inferInsert)[]
  notes: (typeof ticketNotes.$inferInsert)[]
  trackings: (typeof ticketTrackings.$inferInsert)[]
  ratings: (typeof ratings.$inferInsert)[]
}

/** Every contact was served once, some of them twice, over three weeks. The newest are being served, or wait. */
export async function fillServices(db: Db, of: ServicesOf, now: Date): Promise<void> {
  const { contacts, agents, files } = of
  const dice = chance(42)
  const opinions = chance(57)
  const rows = noRows()
  const services = [...contacts, ...contacts.slice(40, 100)]
  // Ids in one go, so that all rows can be made before the first is written.
  const ids = await idsOf(db, 'tickets', services.length + groups.length)
  const trackingIds = await idsOf(db, 'ticket_trackings', services.length)
  for (const [age, contact] of services.entries()) {
    const ticketId = ids[age]!
    const status = age < PENDING ? 'pending' : age < PENDING + OPEN ? 'open' : 'closed'
    const story = stories[(age * 4 + Math.floor(age / stories.length)) % stories.length]!
    const queue = of.queues[story.queue]!
    const sentOn = transfers.find((one) => one.age === age)
    const agent = sentOn
      ? agents[sentOn.from]!
      : story.queue === 0
        ? agents[0]!
        : story.queue === 2
          ? agents[1]!
          : dice.pick(agents)
    const endedAt = endOf(age, status, now, dice)
    const lines = conversation(dice, story, status, age, files)
    if (age === MISSED_CALL) lines.push({ ours: false, text: '', by: 'call' })
    if (age === CLOSED_QUEUE) lines.push({ ours: true, text: queue.outOfHoursMessage, by: 'notice' })
    addService(
      rows,
      of,
      { age, ticketId, trackingId: trackingIds[age]!, contact, status, story, queue, agent, sentOn, endedAt, lines },
      { dice, opinions },
    )
  }
  for (const i of groups.keys()) fillGroup(of, i, ids[services.length + i]!, rows, now, dice)

  await writeRows(db, rows)
}

/** What the team of the two newest queues serves: each has some who are served, and a few wait. All of it is of today. */
export async function fillTeam(db: Db, of: Omit<ServicesOf, 'groups'>, now: Date): Promise<void> {
  const { contacts, agents, queues, files } = of
  const dice = chance(64)
  const rows = noRows()
  const ids = await idsOf(db, 'tickets', contacts.length)
  const trackingIds = await idsOf(db, 'ticket_trackings', contacts.length)
  for (const [i, contact] of contacts.entries()) {
    const status = i < TEAM_WAITING ? ('pending' as const) : ('open' as const)
    const story = teamStories[i % teamStories.length]!
    const inQueue = agents.filter(({ queue }) => queue === story.queue)
    const place = {
      ...{ age: TEAM_FROM + 2 * i, ticketId: ids[i]!, trackingId: trackingIds[i]!, contact, status, story },
      ...{ queue: queues[story.queue]!, agent: inQueue[Math.floor(i / teamStories.length) % inQueue.length]! },
      endedAt: now.getTime() - Math.floor(i / 3) * 6 * MINUTE_MS - dice.int(20_000, 5 * MINUTE_MS),
    }
    addService(
      rows,
      of,
      { ...place, lines: conversation(dice, story, status, place.age, files) },
      { dice, opinions: dice },
    )
  }
  await writeRows(db, rows)
}

const noRows = (): Rows => ({ tickets: [], messages: [], events: [], notes: [], trackings: [], ratings: [] })

async function writeRows(db: Db, rows: Rows): Promise<void> {
  const write = async <T>(all: T[], insert: (part: T[]) => PromiseLike<unknown>) => {
    for (let from = 0; from < all.length; from += ROWS_AT_ONCE) await insert(all.slice(from, from + ROWS_AT_ONCE))
  }
  await write(rows.tickets, (part) => db.insert(tickets).values(part))
  await write(rows.trackings, (part) => db.insert(ticketTrackings).values(part))
  await write(rows.messages, (part) => db.insert(messages).values(part))
  await write(rows.events, (part) => db.insert(ticketEvents).values(part))
  await write(rows.notes, (part) => db.insert(ticketNotes).values(part))
  await write(rows.ratings, (part) => db.insert(ratings).values(part))
}

/** A service of the sample, before it is rows. */
interface Service {
  /** Its place among all, the newest first. */
  age: number
  ticketId: number
  trackingId: number
  contact: ServicesOf['contacts'][number]
  status: 'pending' | 'open' | 'closed'
  story: Story
  queue: ServicesOf['queues'][number]
  /** Who serves it, or did. */
  agent: ServicesOf['agents'][number]
  sentOn?: (typeof transfers)[number] | undefined
  endedAt: number
  lines: Line[]
}

/** Writes down a service: ticket, messages, and what was noted of it. */
function addService(
  rows: Rows,
  of: Omit<ServicesOf, 'groups'>,
  { age, ticketId, trackingId, contact, status, story, queue, agent, sentOn, endedAt, lines }: Service,
  { dice, opinions }: { dice: Chance; opinions: Chance },
): void {
  const { companyId, whatsappId, agents } = of
  const times = timesOf(lines, endedAt, dice)
  const call = missedCallBody({ at: new Date(times.at(-1)!), video: false }, { timeZone: TIME_ZONE, language: 'pt' })
  for (const line of lines) if (line.by === 'call') line.text = call
  const startedAt = new Date(times[0]!)
  const last = lines.at(-1)!
  const lastAt = new Date(times.at(-1)!)
  const owner = status === 'pending' ? null : sentOn?.to !== undefined ? agents[sentOn.to]! : agent
  const unread = status === 'closed' ? 0 : trailing(lines)
  const row = { companyId, ticketId }
  rows.tickets.push({
    ...{ id: ticketId, companyId, contactId: contact.id, whatsappId, status },
    // Some have not said yet what it is about.
    queueId: status === 'pending' && age % 4 === 0 ? null : queue.id,
    userId: owner?.id ?? null,
    ...{ lastMessage: previewOf(last), lastMessageAt: lastAt, lastMessageFromMe: last.ours, unreadMessages: unread },
    tagIds: [
      ...(story.tag !== undefined && dice.next() < 0.5 ? [of.tags[story.tag]!.id] : []),
      // The board of what is open: every fourth is in no lane yet.
      ...(status === 'open' && age % 4 > 0 ? [of.lanes[(age % 4) - 1]!.id] : []),
    ],
    ...{ createdAt: startedAt, updatedAt: lastAt },
  })
  const answered = lines.findIndex(({ ours, by }) => ours && !by)
  const acceptedAt = answered < 0 ? null : new Date(times[answered]! - dice.int(8, 40) * 1_000)
  // Half of those who were served say how it was: most liked it.
  const opinion = status === 'closed' ? opinions.next() : 1
  const rate = opinion < 0.03 ? 1 : opinion < 0.14 ? 2 : 3
  const isRated = opinion < 0.5
  rows.trackings.push({
    ...{ id: trackingId, ...row, whatsappId, userId: owner?.id ?? null, queuedAt: startedAt, createdAt: startedAt },
    startedAt: status === 'pending' ? null : acceptedAt,
    finishedAt: status === 'closed' ? lastAt : null,
    queueId: status === 'closed' ? queue.id : null,
    ...(isRated && { rated: true, ratingAt: lastAt }),
  })
  const unreadFrom = lines.length - unread
  let before = 0
  for (const [i, line] of lines.entries()) {
    const at = new Date(times[i]!)
    const id = uuidv7From(times[i]!, dice.bytes(10))
    const isSigned = line.ours && !line.by && !line.file && before++ === 0
    rows.messages.push({
      ...{ id, ...row, contactId: contact.id, whatsappId, wid: widOf(id), fromMe: line.ours },
      authorId: line.ours && !line.by ? agent.id : null,
      body: isSigned ? `*${agent.name}*:\n${line.text}` : bodyOf(line),
      ...(line.file && { ...line.file, mediaState: 'ready' as const }),
      ...(line.by === 'call' && { mediaType: 'call_log' as const }),
      ...(line.ours &&
        !line.by &&
        dice.next() < 0.05 && { reactions: [{ emoji: dice.pick(['❤️', '👍', '🙏']), by: contact.number ?? '' }] }),
      ...{ read: line.ours || i < unreadFrom, ack: line.ours ? (dice.next() < 0.8 ? 4 : 3) : 1 },
      ...{ createdAt: at, updatedAt: at },
    })
  }
  const event = (kind: (typeof ticketEvents.$inferInsert)['kind'], createdAt: Date, more: object = {}) =>
    rows.events.push({ id: `demo:${ticketId}:${kind}`, ...row, kind, createdAt, ...more })
  event('created', startedAt)
  if (acceptedAt && (status !== 'pending' || sentOn)) event('accepted', acceptedAt, { userId: agent.id })
  if (age === CLOSED_QUEUE) event('out_of_hours', lastAt)
  if (sentOn)
    event('transferred', new Date(lastAt.getTime() + 20_000), {
      userId: agents[sentOn.from]!.id,
      data: { queue: queue.name, user: owner?.name ?? null, note: sentOn.note },
    })
  if (status === 'closed') event('resolved', lastAt, { userId: agent.id })
  if (isRated) {
    const ratedAt = new Date(lastAt.getTime() + 4 * MINUTE_MS)
    rows.ratings.push({ ...row, trackingId, userId: agent.id, rate, createdAt: ratedAt })
    event('rated', ratedAt, { data: { rate } })
  }
  if (story.note && age % 4 === 1)
    rows.notes.push({
      ...{ id: uuidv7From(endedAt, dice.bytes(10)), ...row, contactId: contact.id, userId: agent.id },
      ...{ note: story.note, createdAt: lastAt },
    })
}

/** The next ids of a table. */
async function idsOf(db: Db, table: string, count: number): Promise<number[]> {
  const rows = await db.execute<{ id: string }>(
    sql`SELECT nextval(pg_get_serial_sequence(${table}, 'id')) AS id FROM generate_series(1, ${count}::int)`,
  )
  return [...rows].map(({ id }) => Number(id)).sort((a, b) => a - b)
}

// ── what is said, and when ───────────────────────────────────────────────────────────────────

/** By their place in the list of services. */
const MISSED_CALL = 6
const CLOSED_QUEUE = 3
/** Sent on by one agent, to the queue or to a colleague, with a word about it. */
const transfers: readonly { age: number; from: 0 | 1; to?: 0 | 1; note: string }[] = [
  { age: 5, from: 1, note: 'Já confirmei o pedido e o Pix. Falta só combinar o horário da entrega.' },
  { age: 16, from: 1, to: 0, note: 'Ela quer falar com você, que atendeu da última vez. 😊' },
]
const secondWords = [
  'É para hoje, se der',
  'Fico no aguardo',
  'Alguém pode me ajudar?',
  'Pode ser por aqui mesmo',
] as const

function conversation(
  dice: Chance,
  story: Story,
  status: 'pending' | 'open' | 'closed',
  age: number,
  files: ServicesOf['files'],
): Line[] {
  const lineOf = ([who, text, file]: Said): Line => ({
    ours: who === 'us',
    text,
    file: file ? files.get(file) : undefined,
  })
  const opening: Line = { ours: false, text: dice.pick(story.openings) }
  const isSentOn = transfers.some((one) => one.age === age)
  if (status === 'pending' && !isSentOn) {
    const shown = age % 5 === 0 ? story.lines.find(([who, , file]) => who === 'them' && file) : undefined
    if (shown) return [opening, lineOf(shown)]
    return dice.next() < 0.5 ? [opening, { ours: false, text: dice.pick(secondWords) }] : [opening]
  }
  const sends = status === 'closed' ? 0.2 : 0.7
  const said = story.lines.filter(([, , file]) => !file || dice.next() < sends).map(lineOf)
  const lines = [opening, ...(status === 'closed' ? said : said.slice(0, dice.int(3, said.length)))]
  if (status === 'closed') {
    const farewell = dice.pick(closings).filter(([, , file]) => !file || dice.next() < sends)
    lines.push(...farewell.map(lineOf))
  }
  // Some are answered on another day.
  if (status === 'open' ? age % 3 === 1 : age % 60 === 7) {
    const next = lines.findIndex(({ ours }, i) => i > 2 && !ours)
    if (next > 0) lines[next]!.daysBefore = 1
  }
  return lines
}

function endOf(age: number, status: 'pending' | 'open' | 'closed', now: Date, dice: Chance): number {
  if (status === 'closed') return workedBack(now, 60 + (age - PENDING - OPEN) * 42 + dice.int(0, 30))
  // Some wrote after hours, and nobody has seen it yet.
  if (age >= PENDING - 3 && age < PENDING) return workedBack(now, 700 + (PENDING - age) * 40)
  // Served since yesterday: not so long that the clock would close them (AUTO_CLOSE_HOURS) while somebody looks around.
  if (age >= TODAY) return workedBack(now, 240 + (age - TODAY) * 15 + dice.int(0, 14))
  // Those who wait and those who are served wrote in the same hours.
  const place = status === 'open' ? age - PENDING : age
  return now.getTime() - place * 11 * MINUTE_MS - dice.int(20_000, 9 * MINUTE_MS)
}

/** The moment before which the bakery was open for so many minutes, up to now. */
function workedBack(now: Date, minutes: number): number {
  const wall = now.getTime() + ZONE_MS
  let opens = Math.floor(wall / DAY_MS) * DAY_MS + OPENS_MS
  if (wall < opens) opens -= DAY_MS
  let at = Math.min(wall, opens + OPEN_MS)
  for (let left = minutes * MINUTE_MS; ; opens -= DAY_MS, at = opens + OPEN_MS) {
    if (left <= at - opens) return at - left - ZONE_MS
    left -= at - opens
  }
}

/** A few minutes between the lines, somewhat more before the first answer; the last one at the end. */
function timesOf(lines: readonly Line[], endedAt: number, dice: Chance): number[] {
  const times = [endedAt]
  for (let i = lines.length - 1; i > 0; i--) {
    const { daysBefore } = lines[i]!
    const pause = daysBefore
      ? daysBefore * DAY_MS - dice.int(0, 3 * HOUR_MS)
      : i === 1
        ? dice.int(90_000, 9 * MINUTE_MS)
        : dice.int(40_000, 150_000)
    times.unshift(times[0]! - pause)
  }
  return times
}

const bodyOf = ({ text, file }: Line) => text || file?.mediaName || ''

function previewOf({ text, file, by }: Line): string {
  if (by === 'call') return `📞 ${text}`
  if (!file) return text
  const { mediaMime: mimetype, mediaName: fileName, mediaSize: size, mediaSeconds: seconds } = file
  const media = { mimetype, fileName, size }
  if (file.mediaType === 'audio') return linePreview({ type: 'audio', media, voice: true, seconds })
  return linePreview({ type: file.mediaType === 'image' ? 'image' : 'document', media, caption: text })
}

function trailing(lines: readonly Line[]): number {
  let count = 0
  for (let i = lines.length - 1; i >= 0 && !lines[i]!.ours; i--) count++
  return count
}

// ── groups ───────────────────────────────────────────────────────────────────────────────────

const MEMBERS = 3
const FIRST_MEMBER = 44
/** Who is in the group of this place, besides the company. */
export const membersOf = <T>(people: readonly T[], group: number): T[] =>
  people.slice(FIRST_MEMBER + group * MEMBERS, FIRST_MEMBER + (group + 1) * MEMBERS)

function fillGroup(of: ServicesOf, place: number, ticketId: number, rows: Rows, now: Date, dice: Chance): void {
  const { companyId, whatsappId, contacts, agents, queues } = of
  const { lines, isServed } = groups[place]!
  const members = membersOf(contacts, place)
  const contactId = of.groups[place]!.id
  const agent = agents[0]!
  const at = lines.map(([, , minutesAgo]) => new Date(now.getTime() - minutesAgo * MINUTE_MS))
  const [lastBy, lastText] = lines.at(-1)!
  rows.tickets.push({
    ...{ id: ticketId, companyId, contactId, whatsappId, isGroup: true, queueId: queues[0]!.id },
    ...(isServed ? { status: 'open', userId: agent.id } : { status: 'pending' }),
    ...{ lastMessage: lastText, lastMessageAt: at.at(-1)!, lastMessageFromMe: lastBy === null },
    unreadMessages: isServed ? 1 : lines.length,
    ...{ createdAt: at[0]!, updatedAt: at.at(-1)! },
  })
  for (const [i, [by, text]] of lines.entries()) {
    const id = uuidv7From(at[i]!.getTime(), dice.bytes(10))
    const ours = by === null
    rows.messages.push({
      ...{ id, companyId, ticketId, contactId, whatsappId, wid: widOf(id), fromMe: ours, body: text },
      authorId: ours ? agent.id : null,
      ...(!ours && { participantName: members[by]!.name, participantNumber: members[by]!.number }),
      ...{ read: ours || (isServed && i < lines.length - 1), ack: ours ? 3 : 1, createdAt: at[i]!, updatedAt: at[i]! },
    })
  }
  const id = `demo:${ticketId}`
  rows.events.push({ id: `${id}:created`, companyId, ticketId, kind: 'created', createdAt: at[0]! })
  if (isServed)
    rows.events.push({
      id: `${id}:accepted`,
      companyId,
      ticketId,
      kind: 'accepted',
      userId: agent.id,
      createdAt: new Date(at[0]!.getTime() + 5 * MINUTE_MS),
    })
}
