import type { ConnectionStatus } from '../../schema/whatsapps/whatsapps.table.ts'
import type { SessionNews } from './whatsapps.queries.ts'

/** What the linking dialog shows. `done` and `expired` are only reached from a session that was being linked here. */
export type LinkStep = 'preparing' | 'scan' | 'pairing' | 'done' | 'expired'

/**
 * The step of linking that a session is at.
 *
 * @param before the step shown until now
 * @param asked whether a code is being asked for and nothing has come of it yet: a session that stands still has not
 *   begun then, and has ended in all other cases
 */
function linkStep(
  session: { status: ConnectionStatus; qrcode: string },
  { step: before, asked }: { step: LinkStep; asked: boolean },
): LinkStep {
  switch (session.status) {
    case 'CONNECTED':
      return 'done'
    case 'PAIRING':
      return 'pairing'
    case 'qrcode':
      return session.qrcode ? 'scan' : 'preparing'
    case 'PENDING':
      return 'preparing'
    case 'OPENING':
      // WhatsApp closes the link once right after a code was scanned; the session then opens again.
      return before === 'pairing' ? 'pairing' : 'preparing'
    case 'TIMEOUT':
      // It goes on trying.
      return before === 'preparing' ? 'preparing' : 'expired'
    case 'DISCONNECTED':
      return asked ? 'preparing' : 'expired'
  }
}

/** Milliseconds that a QR lives: the first of a session 60 s, those that follow 20 s. */
const qrLifetimeMs = (isFirst: boolean): number => (isFirst ? 60_000 : 20_000)

/** A pairing code as people read it: `ABCD-EFGH`. */
export const groupedCode = (code: string): string => code.replace(/^(\w{4})-?(\w{4})$/, '$1-$2')

/** Where the linking of one phone stands. */
export interface Link {
  step: LinkStep
  /** A code is being asked for, and neither an answer nor news of the session has come since. */
  asked: boolean
  qrcode: string
  /** When the code ends, ms since 1970; `null` when it was there before we looked. */
  endsAt: number | null
  number: string
  problem: string | null
}

export type LinkEvent =
  /** What is known of the session; `live` when it was told at the moment it happened. */
  | { of: 'session'; session: SessionNews; live: boolean; now: number }
  /** A new code is being asked for. */
  | { of: 'begun' }
  /** The server has begun. */
  | { of: 'answered' }

export const linkAtStart: Link = { step: 'preparing', asked: true, qrcode: '', endsAt: null, number: '', problem: null }

export function linkAfter(link: Link, event: LinkEvent): Link {
  if (event.of === 'begun') return linkAtStart
  if (event.of === 'answered') return { ...link, asked: false }
  const { session, live, now } = event
  const isNew = session.qrcode !== link.qrcode
  const known = live && session.qrcode !== ''
  return {
    step: linkStep(session, link),
    asked: link.asked && session.status === 'DISCONNECTED',
    qrcode: session.qrcode,
    endsAt: isNew ? (known ? now + qrLifetimeMs(link.qrcode === '') : null) : link.endsAt,
    number: session.number || link.number,
    problem: session.lastError ?? null,
  }
}
