import { storedFile } from '../messages/messages.own.ts'
import {
  missingValues,
  placeIn,
  type TemplateAbout,
  templateAbout,
  type TemplateValues,
} from '../templates/templates.parts.ts'
import { isFileFit, stopOf, type TemplateStop } from '../templates/templates.state.ts'
import type { Template } from '../templates/templates.table.ts'
import { hasWindow } from '../whatsapps/whatsapps.providers.ts'
import { fill, type Person, type Variable } from './campaigns.message.ts'
import type { PauseReason } from './campaigns.state.ts'
import type { Campaign } from './campaigns.table.ts'

const reasons: Record<TemplateStop, PauseReason> = {
  ...{ paused: 'template_paused', drift: 'template_drift', gone: 'template_gone' },
  ...{ pending: 'template_stopped', rejected: 'template_stopped', disabled: 'template_stopped' },
  strange: 'template_stopped',
}

/**
 * Why a campaign sends nothing by its template now; null where it may, and over a connection that needs none.
 * @param provider of its connection
 * @param template the one that it names, where that is there
 */
export function templateStopOf(
  campaign: Pick<Campaign, 'whatsappId' | 'templateId' | 'mediaPath' | 'mediaName' | 'mediaMime' | 'mediaSize'>,
  provider: string | null | undefined,
  template: Template | undefined,
): PauseReason | null {
  const { whatsappId, templateId } = campaign
  if (!hasWindow(provider)) return null
  if (templateId === null || template?.id !== templateId || template.whatsappId !== whatsappId) return 'template_gone'
  const stop = stopOf(template)
  if (stop) return reasons[stop]
  return isFileFit(template.parts, storedFile(campaign)) ? null : 'template_file'
}

/** By what somebody's message of a campaign is sent: the template, filled with their own words. */
export function aboutFor(
  template: Pick<Template, 'name' | 'language' | 'parts'>,
  values: TemplateValues,
  person: Person,
  variables: readonly Variable[],
): TemplateAbout {
  return templateAbout(template, filledFor(values, person, variables))
}

/** Whether somebody's own words leave something of the template empty, or make no place of a header that is one. */
export const isLacking = (
  { parts }: Pick<Template, 'parts'>,
  values: TemplateValues,
  person: Person,
  variables: readonly Variable[],
): boolean => {
  const filled = filledFor(values, person, variables)
  return missingValues(parts, filled).length > 0 || (parts.header?.kind === 'location' && !placeIn(filled))
}

const filledFor = (values: TemplateValues, person: Person, variables: readonly Variable[]): TemplateValues =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, fill(value, person, variables).body]))
