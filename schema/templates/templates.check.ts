import type { NewTemplate } from './templates.inputs.ts'
import { templateBounds } from './templates.inputs.ts'
import { slotsOf, type TemplateParts, type TemplateValues, variablesIn } from './templates.parts.ts'

/** What the service refuses of a template, known before it is asked. */
export const templateFaultCodes = [
  /** Variables are `{{1}}`, `{{2}}` in their order, or all have names. */
  'variables',
  'variable_first',
  'variable_last',
  'variables_adjacent',
  'header_variables',
  'header_signs',
  /** A header that is a file needs an example of it. */
  'header_file',
  'footer_variables',
  'example',
  'button_text',
  'button_twice',
  'url',
  'url_variable',
  'phone',
  'too_many_urls',
  'too_many_phones',
  'too_many_codes',
  'code',
] as const
export type TemplateFaultCode = (typeof templateFaultCodes)[number]

export interface TemplateFault {
  /** The field: `body`, `header`, `footer`, `buttons.0`, `examples.body.1`. */
  path: string
  code: TemplateFaultCode
}

/** What is written of one, whatever it is known by. */
type Written = Omit<NewTemplate, 'whatsappId' | 'name' | 'language'>

/** What is written, as the parts that are kept. Quick replies stand together, as the service wants them. */
export function partsOf({ header, headerFile, body, footer, buttons, examples }: Written): TemplateParts {
  const own = {
    header: headerFile ? { kind: headerFile.kind } : header === null ? null : ({ kind: 'text', text: header } as const),
    body,
    footer,
    buttons,
  }
  const keys = new Set(slotsOf(own).map(({ key }) => key))
  return {
    ...own,
    named: [...variablesIn(body), ...variablesIn(headerFile ? '' : (header ?? ''))].some((name) => !/^\d+$/.test(name)),
    examples: Object.fromEntries(Object.entries(examples as TemplateValues).filter(([key]) => keys.has(key))),
  }
}

/** All that is wrong, in the order of the form; nothing where the service has nothing to refuse that is known here. */
export function templateFaults(template: Written): TemplateFault[] {
  const { header, headerFile, body, footer, examples } = template
  const parts = partsOf(template)
  return [
    ...(headerFile
      ? headerFile.kind !== 'location' && headerFile.handle.trim() === ''
        ? [{ path: 'header', code: 'header_file' } as const]
        : []
      : headerFaults(header ?? '')),
    ...bodyFaults(body, parts.named),
    ...(variablesIn(footer ?? '').length > 0 ? [{ path: 'footer', code: 'footer_variables' } as const] : []),
    ...buttonFaults(template.buttons),
    ...slotsOf(parts).flatMap(({ key, part }): TemplateFault[] => {
      // Whoever looks at it there is shown no place.
      if (part === 'place') return []
      const example = (examples as TemplateValues)[key]?.trim() ?? ''
      if (!example) return [{ path: `examples.${key}`, code: 'example' }]
      return part === 'code' && example.length > templateBounds.code ? [{ path: `examples.${key}`, code: 'code' }] : []
    }),
  ]
}

function headerFaults(header: string): TemplateFault[] {
  const names = variablesIn(header)
  if (names.length > 1 || (names.length === 1 && /^\d+$/.test(names[0]!) && names[0] !== '1'))
    return [{ path: 'header', code: 'header_variables' }]
  return /[\n*_~`]|\p{Extended_Pictographic}/u.test(header.replaceAll(/\{\{\w+\}\}/g, ''))
    ? [{ path: 'header', code: 'header_signs' }]
    : []
}

function bodyFaults(body: string, named: boolean): TemplateFault[] {
  const names = variablesIn(body)
  const text = body.trim()
  const faults: TemplateFault[] = []
  const numbers = names.filter((name) => /^\d+$/.test(name)).map(Number)
  const isInOrder = named ? numbers.length === 0 : numbers.every((n) => n >= 1 && n <= names.length)
  // Whatever else stands in braces is no variable of the service.
  if (!isInOrder || /\{\{(?![a-z0-9_]{1,60}\}\})/.test(body)) faults.push({ path: 'body', code: 'variables' })
  else if (/^\{\{\w+\}\}/.test(text)) faults.push({ path: 'body', code: 'variable_first' })
  else if (/\{\{\w+\}\}$/.test(text)) faults.push({ path: 'body', code: 'variable_last' })
  else if (/\}\}\s*\{\{/.test(text)) faults.push({ path: 'body', code: 'variables_adjacent' })
  return faults
}

function buttonFaults(buttons: NewTemplate['buttons']): TemplateFault[] {
  const faults: TemplateFault[] = []
  const count = { reply: 0, url: 0, phone: 0, code: 0 }
  const texts = new Set<string>()
  for (const [i, button] of buttons.entries()) {
    const fault = (code: TemplateFaultCode) => faults.push({ path: `buttons.${i}`, code })
    count[button.kind]++
    if (!button.text.trim() || variablesIn(button.text).length > 0) fault('button_text')
    else if (texts.has(button.text.trim().toLowerCase())) fault('button_twice')
    texts.add(button.text.trim().toLowerCase())
    if (button.kind === 'url') {
      const bare = button.url.replace(/\{\{1\}\}$/, '')
      if (!/^https?:\/\/[^\s{}]+\.[^\s{}]+$/.test(bare)) fault(/[{}]/.test(bare) ? 'url_variable' : 'url')
      if (count.url > templateBounds.urls) fault('too_many_urls')
    }
    if (button.kind === 'phone') {
      if (!/^\+?\d[\d ()-]{6,18}$/.test(button.number)) fault('phone')
      if (count.phone > templateBounds.phones) fault('too_many_phones')
    }
    if (button.kind === 'code' && count.code > templateBounds.codes) fault('too_many_codes')
  }
  return faults
}
