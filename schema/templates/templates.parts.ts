/**
 * What a message template is made of, and what a message by it says. Pure: the preview of the form, the composer, a
 * campaign and the wire all read the same functions.
 */

import type { Place } from '../messages/messages.content.ts'
import { pointIn } from '../messages/messages.place.ts'

export type TemplateHeader = { kind: 'text'; text: string } | { kind: TemplateFileKind | 'location' }

/** What a header can be that comes with each message. */
export const templateFileKinds = ['image', 'video', 'document'] as const
export type TemplateFileKind = (typeof templateFileKinds)[number]
const fits: Record<TemplateFileKind, RegExp> = {
  ...{ image: /^image\/(jpeg|png)$/, video: /^video\/(mp4|3gpp)$/ },
  document: /^(application|text)\//,
}

/** The file that a message by a template must bring; null where it needs none. */
export const fileKindOf = ({ header }: Pick<TemplateParts, 'header'>): TemplateFileKind | null =>
  templateFileKinds.find((kind) => kind === header?.kind) ?? null

/** Whether the service takes a file of this type there. */
export const isHeaderFile = (kind: TemplateFileKind, mimetype: string): boolean => fits[kind].test(mimetype)

export type TemplateButton =
  | { kind: 'reply'; text: string }
  /** The address may end in one variable. */
  | { kind: 'url'; text: string; url: string }
  | { kind: 'phone'; text: string; number: string }
  /** The contact copies a code, which is said with each message. */
  | { kind: 'code'; text: string }

export interface TemplateParts {
  /** Its variables have names; otherwise they are numbers from 1. */
  named: boolean
  header: TemplateHeader | null
  body: string
  footer: string | null
  buttons: TemplateButton[]
  /** By the key of the variable, see `slotsOf`: what the service was shown. */
  examples: Record<string, string>
}

/** A place of a template that is filled in each message. */
export interface TemplateSlot {
  /**
   * `header.1`, `body.1`, `body.nome`, `button.0` (an address), `code.0`, or of a header that is a place `place.point`, `place.name` and
   * `place.address`: how values are named everywhere.
   */
  key: string
  part: 'header' | 'place' | 'body' | 'button' | 'code'
  /** As it stands between the braces; of buttons the place, from 0. */
  name: string
}

/** By the key of the variable. */
export type TemplateValues = Record<string, string>

/** As programs name values: what names no part is of the body. */
export const valuesBy = (given: TemplateValues): TemplateValues =>
  Object.fromEntries(Object.entries(given).map(([key, value]) => [key.includes('.') ? key : `body.${key}`, value]))

/** `{{1}}` or `{{nome}}`, as the service spells them. */
const variable = /\{\{([a-z0-9_]{1,60})\}\}/g

/** The variables of a text in their order, each once. */
export const variablesIn = (text: string): string[] => [...new Set(text.matchAll(variable).map(([, name]) => name!))]

/** The service wants all of it. The point is written as `pointIn` reads it. */
const placeSlots: readonly TemplateSlot[] = ['point', 'name', 'address'].map((name) => ({
  ...{ key: `place.${name}`, part: 'place', name },
}))

/** The place that a header is, with its address; undefined where the values are none. */
export function placeIn(values: TemplateValues): (Place & { address: string }) | undefined {
  const point = pointIn(values['place.point'] ?? '')
  return (
    point && { ...point, name: fitValue(values['place.name'] ?? ''), address: fitValue(values['place.address'] ?? '') }
  )
}

/** All that is filled in, in the order in which it is read. */
export function slotsOf({ header, body, buttons }: Pick<TemplateParts, 'header' | 'body' | 'buttons'>): TemplateSlot[] {
  const of = (part: 'header' | 'body', text: string) =>
    variablesIn(text).map((name) => ({ key: `${part}.${name}`, part, name }))
  return [
    ...(header?.kind === 'text' ? of('header', header.text) : []),
    ...(header?.kind === 'location' ? placeSlots : []),
    ...of('body', body),
    ...buttons.flatMap((button, i): TemplateSlot[] => {
      if (button.kind === 'code') return [{ key: `code.${i}`, part: 'code', name: String(i) }]
      if (button.kind !== 'url' || variablesIn(button.url).length === 0) return []
      return [{ key: `button.${i}`, part: 'button', name: String(i) }]
    }),
  ]
}

/** What a value may be: the service takes no line breaks, tabs or long gaps in one. */
export const fitValue = (value: string): string => value.replaceAll(/\s+/g, ' ').trim()

/** What is still to be filled in. */
export const missingValues = (parts: TemplateParts, values: TemplateValues): TemplateSlot[] =>
  slotsOf(parts).filter(({ key }) => !isFilled(key, fitValue(values[key] ?? '')))

/** What a placeholder stands for is not known yet. */
const isFilled = (key: string, value: string): boolean =>
  value !== '' && (key !== 'place.point' || value.includes('{') || pointIn(value) !== undefined)

const filled = (text: string, part: 'header' | 'body', values: TemplateValues): string =>
  text.replaceAll(variable, (whole, name: string) => fitValue(values[`${part}.${name}`] ?? '') || whole)

/** A message by a template, as its reader sees it; what is not filled stays in its braces. */
export interface ShownTemplate {
  /** Of a header that is one: its name and address. */
  place: string
  header: string
  body: string
  footer: string
  buttons: string[]
}

export function shownTemplate(parts: TemplateParts, values: TemplateValues): ShownTemplate {
  const { header, body, footer, buttons } = parts
  return {
    place:
      header?.kind === 'location'
        ? [values['place.name'], values['place.address']].flatMap((one) => fitValue(one ?? '') || []).join(', ')
        : '',
    header: header?.kind === 'text' ? filled(header.text, 'header', values) : '',
    body: filled(body, 'body', values),
    footer: footer ?? '',
    buttons: buttons.map(({ text }) => text),
  }
}

/** The same as one text, with WhatsApp's own marks: what stands in the conversation and is found by searching. */
export function templateText(parts: TemplateParts, values: TemplateValues): string {
  const { place, header, body, footer } = shownTemplate(parts, values)
  return [place && `📍 ${place}`, header && `*${header}*`, body, footer && `_${footer}_`].filter(Boolean).join('\n\n')
}

/** What a message must remember to be sent by its template; see `MessageAbout`. */
export interface TemplateAbout {
  is: 'template'
  name: string
  language: string
  named: boolean
  values: TemplateValues
  buttons: string[]
  /** Its header is the file of the message. */
  file?: TemplateFileKind
}

export function templateAbout(
  { name, language, parts }: { name: string; language: string; parts: TemplateParts },
  values: TemplateValues,
): TemplateAbout {
  const own = slotsOf(parts).map(({ key }) => [key, fitValue(values[key] ?? '')] as const)
  const { named, buttons } = parts
  const file = fileKindOf(parts)
  return {
    ...{ is: 'template', name, language, named, values: Object.fromEntries(own) },
    buttons: buttons.map(({ text }) => text),
    ...(file && { file }),
  }
}
