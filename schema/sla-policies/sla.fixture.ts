import type { Calendar } from '../hours/hours.spans.ts'
import { advance, type SlaHappened, type SlaOutcome, type SlaRules, type SlaTicket } from './sla.clock.ts'
import type { SlaClock, SlaPolicy, SlaState } from './sla-policies.table.ts'
import type { SlaMetric } from './sla.metrics.ts'

const at = new Date(0)

/** A policy that promises nothing; a test says what it does. */
export const policy = (values: Partial<SlaPolicy> = {}): SlaPolicy => ({
  ...{ id: 1, companyId: 1, name: 'Padrão', position: 1, active: true, queueIds: [], tagIds: [], contactField: null },
  ...{ firstAnswer: null, nextAnswer: null, resolution: null, calendar: 'company', warnAt: 80 },
  ...{ escalateUserIds: [], escalateQueueId: null, createdAt: at, updatedAt: at },
  ...values,
})

/** One ticket to which things happen, with its clocks. */
export class Story {
  ticket: SlaTicket = {
    ...{ id: 7, companyId: 1, status: 'closed', isGroup: false, queueId: null, tagIds: [], snoozedUntil: null },
    fields: [],
    contactFields: {},
  }
  state: SlaState | undefined
  readonly clocks = new Map<string, SlaClock>()
  readonly told: string[] = []
  next: SlaOutcome['next'] | undefined
  private made = 0

  constructor(
    public policies: SlaPolicy[],
    public calendars: { company?: Calendar | null; queues?: Record<number, Calendar> } = {},
  ) {}

  private readonly rules = (): SlaRules => ({
    policies: this.policies.filter(({ active }) => active),
    calendarOf: ({ calendar }, queueId) =>
      calendar === '24x7'
        ? null
        : (calendar === 'queue' && queueId !== null && this.calendars.queues?.[queueId]) ||
          (this.calendars.company ?? null),
  })

  happen(now: Date, change: Partial<SlaTicket> = {}, happened: Partial<SlaHappened> = {}): this {
    Object.assign(this.ticket, change)
    const clocks = [...this.clocks.values()]
    const facts = { ticket: this.ticket, state: this.state, clocks }
    const outcome = advance(this.rules(), facts, { spoken: [], ...happened }, now, () => `c${++this.made}`)
    this.state = outcome.state
    this.next = outcome.next
    for (const clock of outcome.clocks) this.clocks.set(clock.id, clock)
    for (const { what, metric } of outcome.told) this.told.push(`${what} ${metric}`)
    return this
  }

  contact = (now: Date, change: Partial<SlaTicket> = {}) =>
    this.happen(
      now,
      { ...(this.ticket.status === 'closed' && { status: 'pending' as const }), ...change },
      said('contact', now),
    )
  person = (now: Date, change: Partial<SlaTicket> = {}) =>
    this.happen(now, { status: 'open', ...change }, said('person', now))
  close = (now: Date) => this.happen(now, { status: 'closed' })
  tell = (now: Date) => this.happen(now, {}, { tell: true })

  /** All clocks of a metric, the oldest first. */
  of = (metric: SlaMetric) => [...this.clocks.values()].filter((clock) => clock.metric === metric)
}

export const said = (by: 'contact' | 'person', now: Date): SlaHappened => ({ spoken: [{ ticketId: 7, by, at: now }] })
