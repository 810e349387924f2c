import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { weekdays } from '../hours/hours.open.ts'
import { nullable, patterned, requiring } from '../inputs.ts'
import { standardHours } from './campaigns.hours.ts'
import { standardPace } from './campaigns.pace.ts'
import { standardOptOutWords, standardReturnWords } from './campaigns.words.ts'

/** What the forms offer; other seconds are taken as well. */
export const messageIntervals = [0, 5, 10, 15, 20] as const
export const longerIntervals = [0, 1, 5, 10, 15, 20, 30, 40, 60, 80, 100, 120] as const

const seconds = Type.Integer({ minimum: 0, maximum: 86_400 })
const words = Type.Array(patterned({ minLength: 2, maxLength: 30, pattern: '\\S' }), { maxItems: 30 })
const time = patterned({ minLength: 5, maxLength: 5, pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$' })
const date = patterned({ minLength: 10, maxLength: 10, pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' })

/** How long the texts may be, for rule and form. */
export const settingBounds = { variableKey: 50, variableValue: 500, reply: 1_000, leastDailyCap: 1 } as const

const rules = {
  messageInterval: seconds,
  longerIntervalAfter: Type.Integer({ minimum: 0, maximum: 10_000 }),
  greaterInterval: seconds,
  variables: Type.Array(
    Type.Object({
      key: patterned({ minLength: 1, maxLength: settingBounds.variableKey, pattern: '^[^{}\\s]+$' }),
      value: Type.String({ maxLength: settingBounds.variableValue }),
    }),
    { maxItems: 50 },
  ),
  optOutWords: words,
  returnWords: words,
  optOutReply: Type.String({ maxLength: settingBounds.reply }),
  returnReply: Type.String({ maxLength: settingBounds.reply }),
  dailyCap: Type.Integer({ minimum: settingBounds.leastDailyCap, maximum: 100_000 }),
  hours: Type.Object({
    periods: Type.Partial(
      Type.Object(
        Object.fromEntries(
          weekdays.map((weekday) => [weekday, Type.Array(Type.Object({ from: time, to: time }), { maxItems: 5 })]),
        ) as Record<(typeof weekdays)[number], ReturnType<typeof periodsOf>>,
      ),
    ),
    holidays: Type.Array(Type.Object({ date, name: Type.String({ maxLength: 60 }) }), { maxItems: 100 }),
  }),
} satisfies Record<string, TSchema>
const periodsOf = () => Type.Array(Type.Object({ from: time, to: time }), { maxItems: 5 })

/** What a connection may send to many a day; null: the company's own, or what it has warmed up to. */
export const bulkLineInput = Type.Object({
  dailyCap: nullable(rules.dailyCap),
  newChatCap: nullable(Type.Integer({ minimum: 0, maximum: 100_000 })),
  /** What WhatsApp stopped goes on. */
  stopped: Type.Literal(false),
})
export type BulkLineInput = Static<typeof bulkLineInput>
export const changedBulkLine = requiring(bulkLineInput, [])

export const campaignSettingsInput = Type.Partial(Type.Object(rules))
export type CampaignSettings = Static<ReturnType<typeof all>>
const all = () => Type.Object(rules)
export type CampaignSettingKey = keyof CampaignSettings
export const campaignSettingKeys = Object.keys(rules) as CampaignSettingKey[]

export const standardCampaignSettings: CampaignSettings = {
  ...standardPace,
  variables: [],
  optOutWords: standardOptOutWords,
  returnWords: standardReturnWords,
  optOutReply: 'Pronto: você não receberá mais nossas mensagens de divulgação. Para voltar a receber, responda VOLTAR.',
  returnReply: 'Pronto: você voltará a receber nossas mensagens.',
  dailyCap: 1_000,
  hours: standardHours,
}
