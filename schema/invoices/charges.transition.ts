import type { ByTable } from '../decided.ts'
import { checkAgain, nextCheck, nextReturnCheck } from './invoices.checks.ts'
import { centsOf, moneyOf } from './invoices.due.ts'
import type { Charge } from './invoices.table.ts'

/** The life of a charge, as one table: what each event makes of it in each status. */
export type ChargeEvent =
  /** The service has made it. */
  | { type: 'made'; copyPaste: string; expiresAt: Date | null }
  /** Nobody is to pay it any more. */
  | { type: 'end' }
  /** The service says that nobody can pay it any more. */
  | { type: 'gone' }
  /** The service says what has arrived, and what is on its way back. `settles`: its invoice waits for money. */
  | { type: 'told'; paidCents: number; returningCents: number; settles: boolean }
  /** The service has taken it back, or has never had it. */
  | { type: 'takenBack' }
  /** The operator has given the money of its invoice back. */
  | { type: 'refunded' }
  /** The operator has dealt with money that waited for them. */
  | { type: 'resolve' }
  /** The clock asks the service about it. */
  | { type: 'ask' }
  /** Somebody says that there is something to ask about. */
  | { type: 'hear' }
  /** It was asked for the last time, with `checkAt` left for the case that there was no answer. */
  | { type: 'asked'; checkAt: Date }

type EventOf<T extends ChargeEvent['type']> = Extract<ChargeEvent, { type: T }>
type Rule = (charge: Charge, event: never, now: Date) => Partial<Charge>

const unchanged = (): Partial<Charge> => ({})

const made = (charge: Charge, { copyPaste, expiresAt }: EventOf<'made'>, now: Date): Partial<Charge> =>
  // Another tab, or server, was quicker.
  charge.copyPaste === null
    ? { copyPaste, expiresAt, checkAt: nextCheck({ ...charge, expiresAt }, 0, now), updatedAt: now }
    : {}

const end = (_c: Charge, _e: EventOf<'end'>, now: Date): Partial<Charge> => ({ status: 'ended', updatedAt: now })
const gone = (_c: Charge, _e: EventOf<'gone'>, now: Date): Partial<Charge> => ({
  status: 'ended',
  checkAt: null,
  updatedAt: now,
})

/** Money that nobody had seen: it pays its invoice, or the operator decides. */
const came = (
  { value }: Charge,
  { paidCents, returningCents, settles }: EventOf<'told'>,
  now: Date,
): Partial<Charge> => {
  const enough = paidCents >= centsOf(value)
  return {
    status: !enough ? 'short' : settles ? 'paid' : 'surplus',
    paidValue: moneyOf(paidCents),
    // Of what is short nothing can go back that has bought something, unless a part is only on its way.
    checkAt: enough || returningCents > 0 ? nextReturnCheck(0, now) : null,
    checks: 0,
    updatedAt: now,
  }
}

/**
 * Money that was there and is there no more. Of what was too much, the rest may go back and nobody needs to know. What is
 * only on its way back counts when it has arrived there.
 */
const wentBack = (charge: Charge, { paidCents, returningCents }: EventOf<'told'>, now: Date): Partial<Charge> => {
  const kept = paidCents + returningCents
  if (kept >= centsOf(charge.paidValue ?? charge.value)) return {}
  const isMissed = charge.status !== 'surplus' && kept < centsOf(charge.value)
  return {
    // What the operator gives back of money that bought nothing is dealt with by that.
    status: isMissed ? 'returned' : kept === 0 ? 'resolved' : charge.status,
    paidValue: moneyOf(kept),
    ...(kept === 0 ? { checkAt: null } : {}),
    updatedAt: now,
  }
}

const resolve = (_c: Charge, _e: EventOf<'resolve'>, now: Date): Partial<Charge> => ({
  status: 'resolved',
  checkAt: null,
  updatedAt: now,
})
/** Of what has gone back in part, the rest still pays its invoice, and is watched on. */
const resolveReturned = (charge: Charge, event: EventOf<'resolve'>, now: Date): Partial<Charge> =>
  centsOf(charge.paidValue ?? '0') > 0 ? { status: 'paid', updatedAt: now } : resolve(charge, event, now)

/** By whom the money came and went is known: it is no news when the service tells of it. */
const refunded = (_c: Charge, _e: EventOf<'refunded'>, now: Date): Partial<Charge> => ({
  status: 'resolved',
  checkAt: null,
  updatedAt: now,
})

const takenBack = (): Partial<Charge> => ({ checkAt: null })
const receive = (_c: Charge, _e: EventOf<'hear'>, now: Date): Partial<Charge> => ({ checkAt: now })
const asked = ({ checkAt: at }: Charge, { checkAt }: EventOf<'asked'>): Partial<Charge> =>
  at?.getTime() === checkAt.getTime() ? { checkAt: null } : {}

/** Also where the clock has no other time for it: a question that is cut off, or has no answer, is asked again. */
const askNext =
  (next: (charge: Charge, checks: number, now: Date) => Date | null) =>
  (charge: Charge, _e: EventOf<'ask'>, now: Date): Partial<Charge> => {
    const checks = charge.checks + 1
    return { checks, checkAt: next(charge, checks, now) ?? checkAgain(checks, now) }
  }
const ask = askNext(nextCheck)
const askOfReturn = askNext((_charge, checks, now) => nextReturnCheck(checks, now))

const clock = { ask, hear: receive, asked }
const still = {
  ...{ made: unchanged, end: unchanged, gone: unchanged, told: unchanged, takenBack: unchanged },
  ...{ refunded: unchanged, resolve: unchanged, ask, hear: unchanged, asked },
}

export const chargeTransitions: Record<Charge['status'], Record<ChargeEvent['type'], Rule>> = {
  open: { ...still, ...clock, made, end, gone, told: came },
  ended: { ...still, ...clock, gone, told: came, takenBack },
  short: { ...still, ...clock, told: came, resolve },
  paid: { ...still, ...clock, ask: askOfReturn, told: wentBack, refunded },
  returned: { ...still, ...clock, ask: askOfReturn, told: wentBack, refunded, resolve: resolveReturned },
  surplus: { ...still, ...clock, ask: askOfReturn, told: wentBack, resolve },
  resolved: still,
}

/** What `event` makes of a charge; nothing, where it changes nothing. */
export function chargeAfter(charge: Charge, event: ChargeEvent, now: Date): ByTable<Charge> {
  // That an event meets its own rule, and that this is the table, is beyond the compiler.
  const rule = chargeTransitions[charge.status][event.type] as (c: Charge, e: ChargeEvent, at: Date) => ByTable<Charge>
  return rule(charge, event, now)
}

/** Whether the clock asks about it once more after this; as `ask` counts. */
export const isLastAsk = (charge: Charge, now: Date): boolean =>
  (hasArrived(charge) ? nextReturnCheck(charge.checks + 1, now) : nextCheck(charge, charge.checks + 1, now)) === null

/** Its money has come, and may yet go back. */
const hasArrived = ({ status }: Pick<Charge, 'status'>) => chargeTransitions[status].told === wentBack
