import { DAY_MS } from '../durations.ts'
import { DomainError } from '../errors.ts'
import type { Template } from './templates.table.ts'

/** What the service lets be changed of an approved template: once in a day, ten times in thirty days. */
const MOST_EDITS = 10
const EDITS_MS = 30 * DAY_MS

type Facts = Pick<Template, 'status' | 'isStrange' | 'edits'>

/** The changes that still count, oldest first, ms since 1970. */
const countedOf = ({ edits }: Pick<Template, 'edits'>, now: Date): number[] =>
  edits
    .map((at) => new Date(at).getTime())
    .filter((at) => now.getTime() - at < EDITS_MS)
    .sort((a, b) => a - b)

/** From when on an approved template may be changed again; null where it may be now. */
export function editableFrom(template: Pick<Template, 'edits'>, now: Date): Date | null {
  const counted = countedOf(template, now)
  const last = counted.at(-1)
  const ofDay = last === undefined ? 0 : last + DAY_MS
  const ofMonth = counted.length < MOST_EDITS ? 0 : counted.at(-MOST_EDITS)! + EDITS_MS
  const from = Math.max(ofDay, ofMonth)
  return from > now.getTime() ? new Date(from) : null
}

/** What is kept of its changes when it is changed now: only those of an approved one count. */
export const editsWith = (template: Facts, now: Date): string[] =>
  template.status === 'APPROVED'
    ? [...countedOf(template, now).map((at) => new Date(at).toISOString()), now.toISOString()]
    : template.edits

/** Whether the service lets it be changed at all: not while it is looked at, nor when it is gone. */
export const isEditable = ({ status, isStrange }: Facts): boolean =>
  !isStrange && ['APPROVED', 'REJECTED', 'PAUSED'].includes(status)

/** @throws ERR_TEMPLATE_STOPPED where it cannot be changed; ERR_TEMPLATE_EDITED with the moment from which it may (`at`) */
export function demandEditable(template: Facts, now: Date): void {
  const { isStrange } = template
  if (!isEditable(template))
    throw new DomainError('ERR_TEMPLATE_STOPPED', { reason: isStrange ? 'strange' : 'pending' })
  const at = template.status === 'APPROVED' ? editableFrom(template, now) : null
  if (at) throw new DomainError('ERR_TEMPLATE_EDITED', { at: at.toISOString() })
}
