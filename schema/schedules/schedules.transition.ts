import type { Decision } from '../command.ts'
import type { ByTable } from '../decided.ts'
import { type Schedule, type ScheduleStatus, scheduleStatuses } from './schedules.table.ts'

/** The life of a scheduled message, as one table. Null: it has been sent, or waits for somebody, and stays as it is. */
export type ScheduleEvent =
  /** Somebody sets it anew. `heir`: who stands behind it from now on, where nobody may any more. */
  | { type: 'set'; values: Partial<Written>; heir?: number }
  /** Its file comes, changes or goes. */
  | { type: 'file'; file: Pick<Schedule, 'mediaPath' | 'mediaName' | 'mediaMime' | 'mediaSize'> }
  /** Its time has come, and its message is on its way. */
  | { type: 'send' }
  /** Its time has come, and its connection may begin no chats before `until`. */
  | { type: 'wait'; until: Date }
  /** Its time has come, and it may not be sent. */
  | { type: 'refuse'; error: string }

/** What people write. */
type Written = Pick<Schedule, 'contactId' | 'whatsappId' | 'body' | 'templateId' | 'templateValues' | 'bulk' | 'sendAt'>
/** A patch that this table has made. */
export type SchedulePatch = ByTable<Schedule>
/** What else may be set: it follows its contact where two become one. */
export type ScheduleTouch = Partial<Pick<Schedule, 'contactId' | 'updatedAt'>> & { status?: undefined }

type EventOf<T extends ScheduleEvent['type']> = Extract<ScheduleEvent, { type: T }>
type Rule = (event: never, now: Date) => Partial<Schedule>

const set = ({ values, heir }: EventOf<'set'>, now: Date): Partial<Schedule> => ({
  ...values,
  ...(heir === undefined ? {} : { userId: heir }),
  ...{ status: 'PENDENTE', error: null, waitsUntil: null },
  updatedAt: now,
})
const file = ({ file: { mediaPath, mediaName, mediaMime, mediaSize } }: EventOf<'file'>, now: Date) => ({
  ...{ mediaPath, mediaName, mediaMime, mediaSize },
  updatedAt: now,
})
const send = (_: EventOf<'send'>, now: Date): Partial<Schedule> => ({
  ...{ status: 'ENVIADA', sentAt: now, error: null, waitsUntil: null },
  updatedAt: now,
})
const wait = ({ until }: EventOf<'wait'>, now: Date): Partial<Schedule> => ({ waitsUntil: until, updatedAt: now })
const refuse = ({ error }: EventOf<'refuse'>, now: Date): Partial<Schedule> => ({
  ...{ status: 'ERRO', error, waitsUntil: null },
  updatedAt: now,
})

const waiting = { set, file, send, wait, refuse }

export const scheduleTransitions: Record<ScheduleStatus, Record<ScheduleEvent['type'], Rule | null>> = {
  PENDENTE: waiting,
  AGENDADA: waiting,
  ENVIADA: { set: null, file: null, send: null, wait: null, refuse: null },
  // Another time makes it due again; until then it waits for somebody.
  ERRO: { ...waiting, send: null, wait: null, refuse: null },
}

/** Those that are sent when their time comes. */
export const waitingStatuses = scheduleStatuses.filter((status) => scheduleTransitions[status].send !== null)

/** What `event` makes of a scheduled message; null where nothing is to become of it. */
export function scheduleAfter(
  { status }: Pick<Schedule, 'status'>,
  event: ScheduleEvent,
  now: Date,
): SchedulePatch | null {
  // That an event meets its own rule, and that this is the table, is beyond the compiler.
  const rule = scheduleTransitions[status][event.type] as ((e: ScheduleEvent, at: Date) => SchedulePatch) | null
  return rule && rule(event, now)
}

/** They go, in whatever status, and each file that nothing else shows. */
export const removeSchedules = (gone: readonly Pick<Schedule, 'id' | 'mediaPath'>[]): Decision => ({
  rows: gone.length > 0 ? [{ table: 'schedules', op: 'delete', ids: gone.map(({ id }) => id) }] : [],
  effects: gone.flatMap(({ mediaPath }) => (mediaPath ? [{ kind: 'media.release', path: mediaPath }] : [])),
})
