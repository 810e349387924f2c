import { DomainError } from '../errors.ts'
import {
  missingValues,
  type TemplateAbout,
  templateAbout,
  templateText,
  type TemplateValues,
} from './templates.parts.ts'
import type { Template } from './templates.table.ts'

/** What the service calls the states of a template. A new word of theirs is shown as it is, and sends nothing. */
export const templateStatuses = [
  'APPROVED',
  'PENDING',
  'IN_APPEAL',
  'REJECTED',
  'PAUSED',
  'DISABLED',
  'LIMIT_EXCEEDED',
  'PENDING_DELETION',
  'DELETED',
  'ARCHIVED',
  'LOCKED',
] as const
export type TemplateStatus = (typeof templateStatuses)[number]
export const isTemplateStatus = (status: string): status is TemplateStatus =>
  templateStatuses.some((known) => known === status)

/** Why the service refuses one. */
export const templateReasons = [
  'ABUSIVE_CONTENT',
  'CATEGORY_NOT_AVAILABLE',
  'INCORRECT_CATEGORY',
  'INVALID_FORMAT',
  'PROMOTIONAL',
  'SCAM',
  'TAG_CONTENT_MISMATCH',
] as const
export type TemplateReason = (typeof templateReasons)[number]
export const isTemplateReason = (reason: string): reason is TemplateReason =>
  templateReasons.some((known) => known === reason)

export const templateCategories = ['UTILITY', 'MARKETING', 'AUTHENTICATION'] as const
export type TemplateCategory = (typeof templateCategories)[number]

/** Why nothing is sent by a template now. */
export const templateStops = [
  /** It is being looked at. */
  'pending',
  'rejected',
  /** For hours, because people complained of it. */
  'paused',
  'disabled',
  /** It was deleted, there or here. */
  'gone',
  /** Its category became a dearer one, and nobody has said yes to that. */
  'drift',
  /** Its header is a picture, a film, a document or a place, which cannot be said with it yet. */
  'header',
  /** It has parts that are not known here. */
  'strange',
] as const
export type TemplateStop = (typeof templateStops)[number]

const stops: Partial<Record<string, TemplateStop>> = {
  PENDING: 'pending',
  IN_APPEAL: 'pending',
  REJECTED: 'rejected',
  PAUSED: 'paused',
  PENDING_DELETION: 'gone',
  DELETED: 'gone',
}

/** Marketing costs nine times what the others do: only what becomes marketing is dearer than it was. */
export const isDrifted = ({ category, confirmedCategory }: Pick<Template, 'category' | 'confirmedCategory'>): boolean =>
  category === 'MARKETING' && confirmedCategory !== 'MARKETING'

type Facts = Pick<Template, 'status' | 'category' | 'confirmedCategory' | 'parts' | 'isStrange'>

/** @returns null where messages may be sent by it */
export function stopOf(template: Facts): TemplateStop | null {
  const { status, parts, isStrange } = template
  if (status !== 'APPROVED') return stops[status] ?? 'disabled'
  if (isDrifted(template)) return 'drift'
  if (isStrange) return 'strange'
  return parts.header && parts.header.kind !== 'text' ? 'header' : null
}

/**
 * What a message by this template says, and what it must remember.
 * @throws ERR_TEMPLATE_STOPPED; ERR_TEMPLATE_VALUES with the keys that are `missing`
 */
export function sayingBy(template: Template, values: TemplateValues): { body: string; about: TemplateAbout } {
  demandSendable(template)
  const missing = missingValues(template.parts, values).map(({ key }) => key)
  if (missing.length > 0) throw new DomainError('ERR_TEMPLATE_VALUES', { missing })
  return { body: templateText(template.parts, values), about: templateAbout(template, values) }
}

/** @throws ERR_TEMPLATE_STOPPED with the `reason` where nothing is sent by it */
export function demandSendable(template: Facts): void {
  const reason = stopOf(template)
  if (reason) throw new DomainError('ERR_TEMPLATE_STOPPED', { reason })
}
