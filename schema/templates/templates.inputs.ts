import { type Static, Type } from '@sinclair/typebox'
import { nullable, optionalRowId, patterned, rowId } from '../inputs.ts'

/** What the service takes at most. */
export const templateBounds = {
  name: 512,
  header: 60,
  body: 1_024,
  footer: 60,
  buttons: 10,
  buttonText: 25,
  url: 2_000,
  phone: 20,
  urls: 2,
  phones: 1,
  codes: 1,
  code: 15,
  value: 1_024,
} as const

/** The languages that a template is offered in here; the service knows more. */
export const templateLanguages = ['pt_BR', 'es', 'es_AR', 'es_MX', 'en', 'en_US'] as const

export const templateName = patterned({ minLength: 1, maxLength: templateBounds.name, pattern: '^[a-z0-9_]+$' })
export const templateLanguage = patterned({ minLength: 2, maxLength: 12, pattern: '^[a-z]{2,3}(_[A-Z]{2,4})?$' })

const text = (maxLength: number) => Type.String({ minLength: 1, maxLength })
const buttonText = text(templateBounds.buttonText)
const button = Type.Union([
  Type.Object({ kind: Type.Literal('reply'), text: buttonText }),
  Type.Object({ kind: Type.Literal('url'), text: buttonText, url: text(templateBounds.url) }),
  Type.Object({ kind: Type.Literal('phone'), text: buttonText, number: text(templateBounds.phone) }),
  Type.Object({ kind: Type.Literal('code'), text: buttonText }),
])

/** Values of variables, by their keys, see `slotsOf`. */
export const templateValues = Type.Record(
  Type.String({ pattern: '^[a-z0-9_.]{1,70}$' }),
  Type.String({ maxLength: templateBounds.value }),
  { maxProperties: 60, additionalProperties: false },
)

/** A template that is to be made; what else the service wants of it, `templateFaults` says. */
export const newTemplate = Type.Object({
  whatsappId: rowId,
  name: templateName,
  language: templateLanguage,
  category: Type.Union([Type.Literal('UTILITY'), Type.Literal('MARKETING')]),
  header: nullable(text(templateBounds.header)),
  /** In place of a text: what each message brings, and the service's handle of an example of it (`POST /templates/sample`);
   * a place needs none. */
  headerFile: Type.Optional(
    nullable(
      Type.Object({
        kind: Type.Union([
          Type.Literal('image'),
          Type.Literal('video'),
          Type.Literal('document'),
          Type.Literal('location'),
        ]),
        handle: Type.String({ maxLength: 2_000 }),
      }),
    ),
  ),
  body: text(templateBounds.body),
  footer: nullable(text(templateBounds.footer)),
  buttons: Type.Array(button, { maxItems: templateBounds.buttons }),
  /** What the variables may be, for whoever looks at it there. */
  examples: templateValues,
})
export type NewTemplate = Static<typeof newTemplate>

/** What is to be changed of one: all but what it is known by. */
export const changedTemplate = Type.Omit(newTemplate, ['whatsappId', 'name', 'language'])
export type ChangedTemplate = Static<typeof changedTemplate>

export const refreshedTemplates = Type.Object({ whatsappId: rowId })

/** A message by a template, as programs name it: by its name and language. */
export const programTemplate = Type.Object(
  {
    name: templateName,
    language: templateLanguage,
    variables: Type.Optional(templateValues),
  },
  {
    description:
      'A message template of an official connection, in place of a text: the only thing that may be said outside the ' +
      '24 hours. `variables` by their names: `1`, `nome` (of the body), `header.1`, `button.0` (the end of an address), `code.0`; ' +
      'of a header that is a place `place.point` ("-8.05, -34.9"), `place.name` and `place.address`',
  },
)
export type ProgramTemplate = Static<typeof programTemplate>

/** A template that something is to be said by later: its values may hold placeholders of the product. */
export const chosenTemplate = { templateId: optionalRowId, templateValues }
