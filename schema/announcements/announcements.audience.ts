import { DomainError } from '../errors.ts'
import type { Principal } from '../permissions.ts'
import type { Announcement } from './announcements.table.ts'

/** What decides whether somebody is told something. */
export interface Reader extends Pick<Principal, 'companyId' | 'profile'> {
  planId: number | null
}

/** Whether an announcement is shown to somebody now. `server/announcements` asks Postgres the same. */
export function isShownTo(
  {
    status,
    startsAt,
    endsAt,
    companyIds,
    planIds,
    profiles,
  }: Pick<Announcement, 'status' | 'startsAt' | 'endsAt' | 'companyIds' | 'planIds' | 'profiles'>,
  reader: Reader,
  now: Date,
): boolean {
  return (
    status &&
    (startsAt === null || startsAt <= now) &&
    (endsAt === null || endsAt > now) &&
    (companyIds.length === 0 || companyIds.includes(reader.companyId)) &&
    (planIds.length === 0 || (reader.planId !== null && planIds.includes(reader.planId))) &&
    (profiles.length === 0 || profiles.includes(reader.profile))
  )
}

/** Where an announcement stands, for the operator's list. */
export function stateOf(
  { status, startsAt, endsAt }: Pick<Announcement, 'status' | 'startsAt' | 'endsAt'>,
  now: Date,
): 'off' | 'later' | 'shown' | 'over' {
  if (!status) return 'off'
  if (endsAt !== null && endsAt <= now) return 'over'
  return startsAt !== null && startsAt > now ? 'later' : 'shown'
}

/**
 * Whether the operator may rewrite an announcement, or take it back. What tells a company of a visit stays as it was
 * written; when it is no longer shown, it may go.
 * @throws DomainError `ERR_ANNOUNCEMENT_KEPT`
 */
export function demandOwn(
  row: Pick<Announcement, 'isVisit' | 'endsAt'>,
  change: 'rewrite' | 'remove',
  now: Date,
): void {
  const isOver = row.endsAt !== null && row.endsAt <= now
  if (row.isVisit && !(change === 'remove' && isOver)) throw new DomainError('ERR_ANNOUNCEMENT_KEPT')
}

/** An announcement without whom else it is for: which companies and plans there are is nobody's business but the operator's. */
export function shownOf<Row extends Pick<Announcement, 'companyIds' | 'planIds' | 'profiles' | 'isVisit'>>(
  row: Row,
): Omit<Row, 'companyIds' | 'planIds' | 'profiles' | 'isVisit'> {
  const { companyIds: _companies, planIds: _plans, profiles: _profiles, isVisit: _visit, ...shown } = row
  return shown
}

/** Since when it is shown: one that waits for its day is news on that day. */
export const shownSince = <At extends Date | string>({
  createdAt,
  startsAt,
}: {
  createdAt: At
  startsAt: At | null
}): number => Math.max(ms(createdAt), startsAt === null ? 0 : ms(startsAt))

const ms = (at: Date | string): number => (typeof at === 'string' ? Date.parse(at) : at.getTime())
