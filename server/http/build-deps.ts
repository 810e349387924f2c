import { createAttempts } from '../auth/attempts.ts'
import { createAuthLog } from '../auth/auth-log.ts'
import { createAuthenticator } from '../auth/authenticator.ts'
import { createSignInLimits } from '../auth/sign-in-limits.ts'
import { createPasses } from '../auth/passes.ts'
import { createLimiters } from '../limits.together.ts'
import { createTokens } from '../auth/tokens.ts'
import type { Config } from '../config.ts'
import { createInvitations } from '../auth/invitations.changes.ts'
import { createTypedNumbers } from '../auth/typed-numbers.ts'
import { createMediaLinks } from '../media/media.links.ts'
import { inEitherSpelling } from '../contacts/contacts.spelling.queries.ts'
import { loadEventRow } from '../events/event-rows.ts'
import { createEventHub } from '../events/hub.ts'
import { besideOf } from '../db/database.ts'
import { markOffline, markOnline, type PresenceChange } from '../events/presence.writes.ts'
import { createCallers } from '../external/external.callers.ts'
import { createProgramSender } from '../external/external.send.ts'
import { createPayments } from '../invoices/invoices.charges.ts'
import { providerFor } from '../invoices/invoices.providers.ts'
import { findTicket } from '../tickets/tickets.queries.ts'
import type { AppDeps, Sessions } from './deps.ts'

type Given = Omit<
  AppDeps,
  | 'tokens'
  | 'limiter'
  | 'passes'
  | 'links'
  | 'signIn'
  | 'authLog'
  | 'typedNumbers'
  | 'invitations'
  | 'auth'
  | 'hub'
  | 'onRightsChanged'
  | 'config'
  | 'sendForProgram'
  | 'callers'
  | 'payments'
> & {
  config: AppDeps['config'] & Pick<Config, 'jwtSecret'>
  /** A program has sent to many. */
  bulkBegan?(companyId: number): void
  /** Calls of a company's programs are being written, and then no more. */
  writing?(companyId: number, isWriting: boolean): void
  /** What else holds decisions made by a user's rights, such as waiting shape requests. */
  onRightsChanged?(userId: number): void
  /** The same of everybody of a company, such as the networks from which they are let in. */
  onDoorsChanged?(companyId: number): void
}

/** Settings that decide who is let in, and what they read: whoever is here is held against them at once. */
const holdsAtTheDoor: ReadonlySet<string> = new Set(['ipAllowList', 'require2fa', 'maskNumbers'])

/** Puts the parts together that only the HTTP side needs. */
export function buildAppDeps(given: Given): AppDeps & { emitPresence(changes: PresenceChange[]): void } {
  const { db, events, log, now, between } = given
  const sessions: Sessions = Object.assign(Object.create(given.sessions) as Sessions, {
    checkNumber: inEitherSpelling((id, number) => given.sessions.checkNumber(id, number)),
  })
  const tokens = createTokens(given.config.jwtSecret)
  besideOf(db).set('sealer', given.sealer)
  const auth = createAuthenticator({ db, tokens, now })
  const callers = createCallers(db)
  events.listen(({ name }) => {
    if (name === 'whatsapp' || name === 'apiKey') callers.forget()
  })
  const emitPresence = (changes: PresenceChange[]) => {
    for (const { id, companyId, online } of changes)
      events.emit({ companyId, name: 'user', action: 'presence', payload: { user: { id, online } } })
  }
  const hub = createEventHub({
    auth,
    events,
    log: log.child({ part: 'events' }),
    now,
    ...(between && { between }),
    findTicket: (who, ref) => {
      if (typeof ref === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(ref))
        return findTicket(db, who, { uuid: ref })
      const id = Number(ref)
      return Number.isInteger(id) && id > 0 && id < 2 ** 31 ? findTicket(db, who, { id }) : Promise.resolve(undefined)
    },
    loadEvent: (name, companyId, id) => loadEventRow(db, name, companyId, id),
    markOnline: async (userIds) => emitPresence(await markOnline(db, userIds, now())),
    markOffline: async (userIds) => emitPresence(await markOffline(db, userIds)),
    showTyping: (whatsappId, contactId, state) => sessions.presence(whatsappId, contactId, state),
  })
  const onRightsChanged = (userId: number) => {
    auth.forget(userId)
    void hub.refresh(userId)
    given.onRightsChanged?.(userId)
  }
  // Also where another server wrote it down.
  events.listen(({ name, companyId, payload }) => {
    const key = name === 'settings' ? (payload as { setting?: { key: string } } | undefined)?.setting?.key : undefined
    if (key === undefined || !holdsAtTheDoor.has(key)) return
    auth.forget()
    void hub.refreshCompany(companyId)
    given.onDoorsChanged?.(companyId)
  })
  return {
    ...given,
    sessions,
    log: log.child({ part: 'http' }),
    emitPresence,
    payments: createPayments({
      ...{ db, now, events, sealer: given.sealer },
      log: log.child({ part: 'payments' }),
      providerOf: providerFor({ outside: given.outside, now }),
      renewed(companyId, userIds) {
        given.facts.forget(companyId)
        given.rules.forget(companyId)
        for (const id of userIds) onRightsChanged(id)
      },
    }),
    limiter: createLimiters(between, given.limitTime),
    tokens,
    passes: createPasses(given.config.jwtSecret, now, between),
    links: createMediaLinks(given.config, now),
    signIn: createSignInLimits(createAttempts({ topic: 'sign-in', between })),
    authLog: createAuthLog(log.child({ part: 'auth' })),
    typedNumbers: createTypedNumbers(now, between),
    invitations: createInvitations({ config: given.config, now, tokens, between }),
    auth,
    callers,
    sendForProgram: createProgramSender({
      ...{ db, now, facts: given.facts, committed: given.committed },
      bulkBegan: (companyId) => given.bulkBegan?.(companyId),
      writing: (companyId, isWriting) => given.writing?.(companyId, isWriting),
      checkNumber: sessions.checkNumber,
    }),
    hub,
    onRightsChanged,
  }
}
