/** How the service looks at templates, and at messages by them. */
import type { FakeTemplate } from './server.ts'
import { GraphRefusal } from './wire.ts'

type Json = Record<string, unknown>

const variablesIn = (text: unknown): string[] => [
  ...new Set([...String(text ?? '').matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name!)),
]

/** A page of them. */
export function listedTemplates(all: readonly FakeTemplate[], asked: URLSearchParams): Json {
  const limit = Number(asked.get('limit') ?? 25)
  const from = Number(asked.get('after') ?? 0)
  const data = all.slice(from, from + limit).map(({ account: _account, ...template }) => template)
  const next = from + limit
  return {
    data,
    paging: {
      cursors: { before: String(from), after: String(next) },
      ...(next < all.length && { next: 'https://next' }),
    },
  }
}

/** @throws GraphRefusal what the service finds wrong of a new one before anybody looks at it */
export function demandTemplate(body: Json, known: readonly FakeTemplate[], handles: ReadonlySet<string>): void {
  const invalid = (subcode: number, message: string) => new GraphRefusal(100, 400, message, subcode)
  const { name, language, category, components } = body as unknown as FakeTemplate
  if (!/^[a-z0-9_]{1,512}$/.test(name ?? '')) throw invalid(2388025, 'Invalid name')
  if (!['MARKETING', 'UTILITY', 'AUTHENTICATION'].includes(category)) throw invalid(2388026, 'Invalid category')
  if (known.some((one) => one.name === name && one.language === language))
    throw invalid(2388024, 'There is already content in this language for this template')
  const part = (type: string) => components.find((component) => component['type'] === type) as Json | undefined
  const [header, text, footer] = [part('HEADER'), part('BODY'), part('FOOTER')]
  const body_ = String(text?.['text'] ?? '')
  if (!body_ || body_.length > 1_024) throw invalid(2388040, 'Body is empty or too long')
  if (/^\{\{|\}\}$/.test(body_.trim())) throw invalid(2388299, 'Variables cannot be at the start or end of the body')
  const params = variablesIn(body_)
  if (body_.split(/\s+/).length < params.length * 2 + 1) throw invalid(2388293, 'Too many variables for its length')
  const example = (text?.['example'] ?? {}) as { body_text?: unknown[][]; body_text_named_params?: unknown[] }
  const shown = example.body_text_named_params ?? example.body_text?.[0] ?? []
  if (shown.length !== params.length) throw invalid(2388043, 'Example values are missing')
  const [handle] = ((header?.['example'] as { header_handle?: string[] } | undefined)?.header_handle ?? []) as string[]
  if (header && header['format'] === 'LOCATION') {
    if (header['example'] !== undefined) throw invalid(2388047, 'A location has no example')
  } else if (header && header['format'] !== 'TEXT') {
    if (!handles.has(handle ?? '')) throw invalid(2388047, 'The header needs an example of its file')
  } else if (header && (String(header['text']).length > 60 || variablesIn(header['text']).length > 1))
    throw invalid(2388047, 'Header format is incorrect')
  if (footer && (String(footer['text']).length > 60 || variablesIn(footer['text']).length > 0))
    throw invalid(2388073, 'Footer format is incorrect')
}

/** @throws GraphRefusal what it says of a message by a template that it does not send */
export function demandSent(asked: Json, known: readonly FakeTemplate[], isKept: (fileId: string) => boolean): void {
  const {
    name,
    language,
    components = [],
  } = asked as {
    name: string
    language: { code: string }
    components?: { type: string; parameters: { text?: string }[] }[]
  }
  const template = known.find((one) => one.name === name && one.language === language.code)
  if (!template) throw new GraphRefusal(132001, 404, 'Template does not exist')
  if (template.status === 'PAUSED') throw new GraphRefusal(132015, 400, 'Template is paused')
  if (template.status === 'DISABLED') throw new GraphRefusal(132016, 400, 'Template is disabled')
  if (template.status !== 'APPROVED') throw new GraphRefusal(132001, 404, 'Template is not approved')
  const format = String(template.components.find((component) => component['type'] === 'HEADER')?.['format'] ?? 'TEXT')
  const kind = format.toLowerCase()
  const header = components.find((component) => component.type === 'header')?.parameters ?? []
  if (format !== 'TEXT') {
    const [one, ...more] = header as { type?: string; [kind: string]: unknown }[]
    const file = one?.[kind] as { id?: string } | undefined
    if (one?.type !== kind || more.length > 0) throw new GraphRefusal(132012, 400, `The header must be of ${format}`)
    if (format === 'LOCATION') {
      const place = one[kind] as { latitude?: unknown; longitude?: unknown; name?: string; address?: string }
      if (![place.latitude, place.longitude].every((value) => Number.isFinite(Number(value ?? 'none'))))
        throw new GraphRefusal(131008, 400, 'The location of the header needs latitude and longitude')
      if (!place.name || !place.address) throw new GraphRefusal(131008, 400, 'It needs name and address')
    } else if (!file?.id || !isKept(file.id))
      throw new GraphRefusal(131009, 400, 'The media of the header is not there')
  }
  for (const type of format === 'TEXT' ? ['HEADER', 'BODY'] : ['BODY']) {
    const text = template.components.find((component) => component['type'] === type)?.['text']
    const given = components.find((component) => component.type.toUpperCase() === type)?.parameters ?? []
    if (given.length !== variablesIn(text).length)
      throw new GraphRefusal(132000, 400, 'Number of parameters does not match')
    if (given.some((one) => /[\n\t]| {5}/.test(one.text ?? ''))) throw new GraphRefusal(132018, 400, 'Parameter format')
  }
}

const DAY_MS = 86_400_000

/** @throws GraphRefusal where it may not be changed now: an approved one once a day, ten times in thirty days */
export function demandEditable({ status, edits }: FakeTemplate, now: number): void {
  if (!['APPROVED', 'REJECTED', 'PAUSED'].includes(status))
    throw new GraphRefusal(100, 400, 'Only approved, rejected and paused templates can be edited')
  if (status !== 'APPROVED') return
  if (edits.some((at) => now - at < DAY_MS)) throw new GraphRefusal(100, 400, 'It was edited within 24 hours')
  if (edits.filter((at) => now - at < 30 * DAY_MS).length >= 10)
    throw new GraphRefusal(100, 400, 'It was edited ten times within 30 days')
}
