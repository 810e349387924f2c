import { DomainError } from '../errors.ts'
import {
  fileKindOf,
  isHeaderFile,
  missingValues,
  type TemplateAbout,
  templateAbout,
  type TemplateParts,
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
  const { status, isStrange } = template
  if (status !== 'APPROVED') return stops[status] ?? 'disabled'
  if (isDrifted(template)) return 'drift'
  return isStrange ? 'strange' : null
}

/**
 * What a message by this template says, and what it must remember.
 * @param file of what type its file is; null where it has none
 * @throws ERR_TEMPLATE_STOPPED; ERR_TEMPLATE_VALUES with the keys that are `missing`; ERR_TEMPLATE_FILE with the `kind` of file
 *   that its header wants, null where it wants none
 */
export function sayingBy(
  template: Facts & Pick<Template, 'name' | 'language'>,
  values: TemplateValues,
  file: { mimetype: string } | null = null,
): { body: string; about: TemplateAbout } {
  demandSendable(template)
  demandFile(template.parts, file)
  const missing = missingValues(template.parts, values).map(({ key }) => key)
  if (missing.length > 0) throw new DomainError('ERR_TEMPLATE_VALUES', { missing })
  return { body: templateText(template.parts, values), about: templateAbout(template, values) }
}

/** @throws ERR_TEMPLATE_STOPPED with the `reason` where nothing is sent by it */
export function demandSendable(template: Facts): void {
  const reason = stopOf(template)
  if (reason) throw new DomainError('ERR_TEMPLATE_STOPPED', { reason })
}

/** @throws ERR_TEMPLATE_FILE where the header wants another file than that, or none */
export function demandFile(parts: TemplateParts, file: { mimetype: string } | null): void {
  if (!isFileFit(parts, file)) throw new DomainError('ERR_TEMPLATE_FILE', { kind: fileKindOf(parts) })
}

/** Whether that is what the header wants: its kind of file, or none. */
export function isFileFit(parts: TemplateParts, file: { mimetype: string } | null): boolean {
  const kind = fileKindOf(parts)
  return kind === null ? file === null : file !== null && isHeaderFile(kind, file.mimetype)
}

/** Of those on several connections of that name and language, one by which is sent, else any. */
export function bestTemplate<T extends Facts & Pick<Template, 'name' | 'language'>>(
  all: readonly T[],
  name: string,
  language: string,
): T | undefined {
  const own = all.filter((one) => one.name === name && one.language === language)
  return own.find((one) => stopOf(one) === null) ?? own[0]
}
