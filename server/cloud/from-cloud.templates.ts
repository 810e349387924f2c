/** Templates of the official API in the product's words, and ours in its. Pure. */
import type { TemplateButton, TemplateHeader, TemplateParts } from '../../schema/templates/templates.parts.ts'
import { fileKindOf, slotsOf } from '../../schema/templates/templates.parts.ts'
import type { AskedTemplate, TemplateNotice, ServiceTemplate } from '../../schema/templates/templates.service.ts'
import { clip } from '../../schema/texts.ts'
import { isRecord } from '../outside/outside.call.ts'
import { textOf } from './from-cloud.content.ts'

type Json = Record<string, unknown>

/** More than the service takes: what it sends is kept whole. */
const TEXT_LENGTH = 2_000
const WORD_LENGTH = 600
const MOST_BUTTONS = 20

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : [])
const wordOf = (value: unknown, length = 40) => clip(textOf(value), length)
const said = (value: unknown) => clip(textOf(value), TEXT_LENGTH)

/** Fields that are asked of each. */
export const TEMPLATE_FIELDS =
  'id,name,status,category,language,components,quality_score,rejected_reason,parameter_format'

/** Null for what is none. */
export function templateFrom(given: unknown): ServiceTemplate | null {
  if (!isRecord(given)) return null
  const metaId = wordOf(given['id'])
  const [name, language] = [wordOf(given['name'], WORD_LENGTH), wordOf(given['language'], 12)]
  if (!/^\d+$/.test(metaId) || !name || !language) return null
  const score = isRecord(given['quality_score']) ? wordOf(given['quality_score']['score']) : ''
  const reason = wordOf(given['rejected_reason'])
  const named = given['parameter_format'] === 'NAMED'
  const { parts, isStrange } = partsFrom(listOf(given['components']), named)
  return {
    ...{ metaId, name, language, parts, isStrange },
    category: wordOf(given['category']) || 'UTILITY',
    status: wordOf(given['status']) || 'PENDING',
    quality: score || null,
    reason: reason && reason !== 'NONE' ? reason : null,
  }
}

const headers: Partial<Record<string, 'image' | 'video' | 'document' | 'location'>> = {
  ...{ IMAGE: 'image', VIDEO: 'video', DOCUMENT: 'document', LOCATION: 'location' },
}

function partsFrom(components: readonly unknown[], named: boolean): { parts: TemplateParts; isStrange: boolean } {
  const parts: TemplateParts = { named, header: null, body: '', footer: null, buttons: [], examples: {} }
  let isStrange = false
  for (const component of components) {
    if (!isRecord(component)) continue
    const type = textOf(component['type']).toUpperCase()
    const example = isRecord(component['example']) ? component['example'] : {}
    if (type === 'HEADER') {
      const header = headerFrom(component)
      isStrange ||= header === null
      parts.header = header
      keepExamples(parts, 'header', example, named)
    } else if (type === 'BODY') {
      parts.body = said(component['text'])
      keepExamples(parts, 'body', example, named)
    } else if (type === 'FOOTER') parts.footer = said(component['text']) || null
    else if (type === 'BUTTONS') {
      const given = listOf(component['buttons']).slice(0, MOST_BUTTONS)
      parts.buttons = given.flatMap((button) => buttonFrom(button) ?? [])
      isStrange ||= parts.buttons.length !== given.length
      for (const [i, button] of given.entries()) if (isRecord(button)) keepButtonExample(parts, i, button)
    } else isStrange = true
  }
  // The body of a code is the service's own, and says no text here.
  return { parts, isStrange: isStrange || parts.body === '' }
}

function headerFrom(component: Json): TemplateHeader | null {
  const format = textOf(component['format']).toUpperCase()
  if (format === 'TEXT') return { kind: 'text', text: said(component['text']) }
  const kind = headers[format]
  return kind ? { kind } : null
}

function buttonFrom(given: unknown): TemplateButton | null {
  if (!isRecord(given)) return null
  const text = wordOf(given['text'], 60)
  switch (textOf(given['type']).toUpperCase()) {
    case 'QUICK_REPLY':
      return { kind: 'reply', text }
    case 'URL':
      return { kind: 'url', text, url: said(given['url']) }
    case 'PHONE_NUMBER':
      return { kind: 'phone', text, number: wordOf(given['phone_number']) }
    case 'COPY_CODE':
      return { kind: 'code', text }
    default:
      return null
  }
}

function keepExamples({ examples }: TemplateParts, part: 'header' | 'body', example: Json, named: boolean): void {
  if (named) {
    for (const one of listOf(example[`${part}_text_named_params`]))
      if (isRecord(one)) examples[`${part}.${wordOf(one['param_name'], 60)}`] = said(one['example'])
    return
  }
  const given = listOf(example[`${part}_text`])
  const values = part === 'body' ? listOf(given[0]) : given
  for (const [i, value] of values.entries()) examples[`${part}.${i + 1}`] = said(value)
}

function keepButtonExample({ examples, buttons }: TemplateParts, i: number, given: Json): void {
  const kind = buttons[i]?.kind
  const example = Array.isArray(given['example']) ? (given['example'] as unknown[])[0] : given['example']
  if (kind === 'url' && typeof example === 'string') examples[`button.${i}`] = said(example)
  if (kind === 'code' && typeof example === 'string') examples[`code.${i}`] = said(example)
}

/** What the service is asked to make. */
export function toCloudTemplate({ name, language, category, parts, handle }: AskedTemplate): Json {
  const { header, body, footer, buttons, examples, named } = parts
  const fileKind = fileKindOf(parts)
  const example = (part: 'header' | 'body') => {
    const own = slotsOf(parts).filter((slot) => slot.part === part)
    if (own.length === 0) return {}
    const value = (key: string) => examples[key] ?? ''
    if (named)
      return {
        example: {
          [`${part}_text_named_params`]: own.map((slot) => ({ param_name: slot.name, example: value(slot.key) })),
        },
      }
    const values = inOrder(own).map(({ key }) => value(key))
    return { example: { [`${part}_text`]: part === 'body' ? [values] : values } }
  }
  return {
    ...{ name, language, category, parameter_format: named ? 'NAMED' : 'POSITIONAL' },
    components: [
      ...(fileKind
        ? [{ type: 'HEADER', format: fileKind.toUpperCase(), example: { header_handle: [handle ?? ''] } }]
        : []),
      ...(header?.kind === 'location' ? [{ type: 'HEADER', format: 'LOCATION' }] : []),
      ...(header?.kind === 'text' ? [{ type: 'HEADER', format: 'TEXT', text: header.text, ...example('header') }] : []),
      { type: 'BODY', text: body, ...example('body') },
      ...(footer ? [{ type: 'FOOTER', text: footer }] : []),
      ...(buttons.length > 0
        ? [{ type: 'BUTTONS', buttons: buttons.map((button, i) => toCloudButton(button, i, examples)) }]
        : []),
    ],
  }
}

/** By their numbers, where they have some. */
export const inOrder = <T extends { name: string }>(slots: readonly T[]): T[] =>
  slots.toSorted((a, b) => Number(a.name) - Number(b.name) || 0)

function toCloudButton(button: TemplateButton, i: number, examples: Record<string, string>): Json {
  const { text } = button
  switch (button.kind) {
    case 'reply':
      return { type: 'QUICK_REPLY', text }
    case 'url': {
      const example = examples[`button.${i}`]
      const whole = example && button.url.replace(/\{\{\w+\}\}$/, example)
      return { type: 'URL', text, url: button.url, ...(whole && { example: [whole] }) }
    }
    case 'phone':
      return { type: 'PHONE_NUMBER', text, phone_number: `+${button.number.replaceAll(/\D/g, '')}` }
    case 'code':
      return { type: 'COPY_CODE', text, example: examples[`code.${i}`] ?? '' }
  }
}

/** Fields of the webhook that tell of templates. */
export const templateFields: ReadonlySet<string> = new Set([
  ...['message_template_status_update', 'message_template_quality_update', 'message_template_components_update'],
  'template_category_update',
])

/** What a change tells that the template itself does not; null where that is nothing. */
export function noticeFrom(field: string, value: unknown): TemplateNotice | null {
  if (!isRecord(value)) return null
  const id = value['message_template_id']
  const metaId = typeof id === 'number' ? String(id) : wordOf(id)
  if (!/^\d+$/.test(metaId)) return null
  if (field === 'template_category_update') {
    const correct = wordOf(value['correct_category'])
    // The first notice says what it will be; the second that it is so.
    return { metaId, nextCategory: correct || null }
  }
  const info = isRecord(value['rejection_info']) ? value['rejection_info'] : {}
  const advice = clip(textOf(info['recommendation']), WORD_LENGTH)
  return field === 'message_template_status_update' && advice ? { metaId, advice } : null
}
