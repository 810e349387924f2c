/** What a phone that shares its number has of before, as the service tells it: in chunks, in no order, files behind them. */
import { GraphRefusal } from './wire.ts'

type Json = Record<string, unknown>

export interface FakePast {
  /** By number: what was said with them, oldest first. `message`: its type and what belongs to it. */
  threads: Map<string, { id: string; fromMe: boolean /** ms since 1970 */; at: number; message: Json }[]>
  /** Names in the phone's book, by number. */
  book: Map<string, string>
  /** Its owner shares nothing. */
  isDeclined?: boolean
  /** The day in which it may be asked for is over. */
  isLate?: boolean
  /** What was asked for; each is given once. */
  asked: string[]
}

/** A webhook's field and value. */
export type Told = [field: string, value: Json]

const AT_ONCE = 100
const DAY_MS = 86_400_000

/** @param own the number itself, digits. @returns what is told of it, in the order in which it is told */
export function pastAsked(past: FakePast, body: Json, own: string): Told[] {
  const what = String(body['sync_type'])
  if (what !== 'smb_app_state_sync' && what !== 'history') throw new GraphRefusal(100, 400, 'sync_type')
  if (past.isLate) throw new GraphRefusal(2_593_108, 400, 'History sync is outside of its window')
  if (past.asked.includes(what)) throw new GraphRefusal(2_593_107, 400, 'History sync was requested before')
  past.asked.push(what)
  if (what === 'smb_app_state_sync') return [[what, { state_sync: [...past.book].map(bookEntry) }]]
  if (past.isDeclined) return [[what, { history: [{ errors: [{ code: 2_593_109, title: 'declined' }] }] }]]
  return historyOf(past, own)
}

const bookEntry = ([number, name]: [string, string]): Json => ({
  ...{ type: 'contact', action: 'add', metadata: { timestamp: '1764417600' } },
  contact: { full_name: name, first_name: name.split(' ')[0], phone_number: number },
})

function historyOf({ threads }: FakePast, own: string): Told[] {
  const all = [...threads].flatMap(([number, lines]) => lines.map((line) => ({ number, ...line })))
  // The newest phase first; each counts its own chunks.
  const newest = Math.max(0, ...all.map(({ at }) => at))
  const phaseOf = ({ at }: { at: number }) => (newest - at < DAY_MS ? 0 : newest - at < 90 * DAY_MS ? 1 : 2)
  const chunks: { phase: number; order: number; lines: typeof all }[] = []
  for (const phase of [0, 1, 2]) {
    const own = all.filter((line) => phaseOf(line) === phase)
    for (let at = 0; at < own.length; at += AT_ONCE)
      chunks.push({ phase, order: at / AT_ONCE + 1, lines: own.slice(at, at + AT_ONCE) })
  }
  const told = chunks.map(({ phase, order, lines }, i): Told => {
    const metadata = { phase, chunk_order: order, progress: Math.round((100 * (i + 1)) / chunks.length) }
    const byNumber = Map.groupBy(lines, ({ number }) => number)
    const ofThem = [...byNumber].map(([id, lines]) => ({ id, messages: lines.map((line) => lineOf(line, own)) }))
    return ['history', { history: [{ metadata, threads: ofThem }] }]
  })
  // What says that all was told leaves first.
  const files = all.filter(({ message }) => isFile(message))
  return [
    ...told.reverse(),
    ...files.map((line): Told => ['history', { messages: [{ ...lineOf(line, own), ...line.message }] }]),
  ]
}

const isFile = (message: Json) => ['image', 'video', 'audio', 'document'].includes(String(message['type']))

function lineOf(line: { number: string; id: string; fromMe: boolean; at: number; message: Json }, own: string): Json {
  const { number, id, fromMe, at, message } = line
  return {
    ...(isFile(message) ? { type: 'media_placeholder' } : message),
    ...{ id, from: fromMe ? own : number, ...(fromMe && { to: number }), timestamp: String(Math.floor(at / 1_000)) },
    history_context: { status: fromMe ? 'READ' : 'DELIVERED' },
  }
}
