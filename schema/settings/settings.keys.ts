import { twoFactorRules } from '../auth/two-factor.ts'
import { readProductName } from '../companies/product-name.ts'
import { currencies } from '../costs/costs.price.ts'
import { readDays } from '../privacy/privacy.terms.ts'
import { MENU_WORDS, STOP_WORDS } from '../flows/flows.leaving.ts'

/**
 * Every setting a company has: its default, the values it takes, and who may see and change it. A key that is not
 * here does not exist.
 */
export interface SettingRule {
  default: string
  /** Allowed values; a string setting without a list takes any text up to 2,000 characters. */
  values?: readonly string[]
  /** Only the operator reads and writes it; it lives in the operator's company. */
  global?: true
  /** Text that people write, in place of one of a few values. */
  text?: true
  /** What is kept of a text; undefined refuses it. */
  read?: (text: string) => string | undefined
  /** It stands with the operator's pictures, and not among the options. */
  brand?: true
  /** Sealed where it is kept, and never sent to a browser. It is written with what it is for, not on the settings screen. */
  secret?: true
  /** The address of a service, which this server calls with these other settings: who changes it gives them again. */
  guards?: readonly string[]
  /** A company's, which only the operator changes, with the company itself. */
  operators?: true
  /** Says who gets in and how, which is a permission of its own. */
  security?: true
  /** Of people's data: it stands on its own screen, and is a permission of its own. */
  privacy?: true
  /** Nothing acts on it yet: programs of others may read and write it, and no screen shows it. */
  withoutEffect?: true
}

const onOff = ['enabled', 'disabled'] as const
/** Days for which something is kept; 0: for ever. */
const term = {
  default: '0',
  text: true,
  privacy: true,
  read: (text: string) => {
    const days = readDays(text.trim())
    return days === undefined ? undefined : String(days)
  },
} as const

export const settingRules = {
  userRating: { default: 'disabled', values: onOff },
  /** Who has given a rate is asked why, once. */
  askComment: { default: 'disabled', values: onOff },
  scheduleType: { default: 'disabled', values: ['disabled', 'queue', 'company'] },
  CheckMsgIsGroup: { default: 'enabled', values: onOff },
  call: { default: 'disabled', values: onOff },
  /** What a contact types to leave a flow: to end the conversation, and to come to the queue menu. */
  flowStopWords: { default: STOP_WORDS, text: true },
  flowMenuWords: { default: MENU_WORDS, text: true },
  chatBotType: { default: 'text', values: ['text'], withoutEffect: true },
  sendGreetingAccepted: { default: 'disabled', values: onOff },
  sendMsgTransfTicket: { default: 'disabled', values: onOff },
  sendGreetingMessageOneQueues: { default: 'disabled', values: onOff },
  campaignsEnabled: { default: 'true', values: ['true', 'false', 'enabled'], operators: true },
  /** Hours within which a contact's message reopens a closed ticket; 0 never. */
  reopenWindowHours: { default: '2', values: ['0', '1', '2', '4', '8', '12', '24', '48', '72'] },
  /** At so many open tickets an agent of whom nothing else is said is given no more; 0: as many as come. */
  agentCapacity: { default: '0', values: ['0', '1', '2', '3', '4', '5', '6', '8', '10', '15', '20', '30', '50'] },
  allowregister: { default: 'disabled', values: onOff, global: true },
  viewregister: { default: 'disabled', values: onOff, global: true },
  trial: { default: '3', values: ['1', '2', '3', '4', '5', '6', '7'], global: true },
  /** How many logins of a person last at the same time. */
  sessions: { default: 'one', values: ['one', 'many'], security: true },
  /** Who must prove a login with a code, too. */
  require2fa: { default: 'none', values: twoFactorRules, security: true },
  /** What the product is called; empty as we call it. */
  productName: { default: '', global: true, text: true, brand: true, read: readProductName },
  requireOperator2fa: { default: 'disabled', values: onOff, global: true, security: true },
  /** `form` is the rule of each form, `strong` besides what is easy to guess. */
  passwordPolicy: { default: 'form', values: ['form', 'strong'], security: true },
  /** Whether the operator may act in the name of the company's users. */
  supportAccess: { default: 'enabled', values: onOff, security: true },
  /** Networks from which people are let in; empty: from anywhere. */
  ipAllowList: { default: '', text: true, security: true },
  /** Tokens of language models that the company's assistants may use in a month; 0 as many as they need. */
  promptMonthlyTokens: {
    default: '0',
    values: ['0', '100000', '500000', '1000000', '5000000', '20000000', '100000000'],
  },
  /** Days for which messages, their files, and what was decided about them are kept. */
  retentionMessages: term,
  retentionMedia: term,
  retentionTraces: term,
  /** Everybody reads contacts' numbers only in part; who may reveal one does it on the record. */
  maskNumbers: { default: 'disabled', values: onOff, privacy: true },
  /** Who answers for people's data, as the privacy text names them. */
  privacyOfficer: { default: '', text: true, privacy: true },
  privacyContact: { default: '', text: true, privacy: true },
  /** In which money Meta charges the company for messages. */
  messageCurrency: { default: 'BRL', values: currencies },
  ipixc: { default: '', secret: true, guards: ['tokenixc'] },
  tokenixc: { default: '', secret: true },
  ipmkauth: { default: '', secret: true, guards: ['clientidmkauth', 'clientsecretmkauth'] },
  clientidmkauth: { default: '', secret: true },
  clientsecretmkauth: { default: '', secret: true },
  asaas: { default: '', secret: true },
} as const satisfies Record<string, SettingRule>

export type SettingKey = keyof typeof settingRules
export const settingKeys = Object.keys(settingRules) as SettingKey[]

/** The settings that something acts on. */
export const effectiveSettingKeys = settingKeys.filter((key) => !('withoutEffect' in settingRules[key]))

/** Those of them that the settings screen shows. */
export type ShownSettingKey = {
  [K in SettingKey]: (typeof settingRules)[K] extends
    | { withoutEffect: true }
    | { secret: true }
    | { operators: true }
    | { privacy: true }
    ? never
    : K
}[SettingKey]
export const shownSettingKeys = effectiveSettingKeys.filter(
  (key): key is ShownSettingKey =>
    !('secret' in settingRules[key]) && !('operators' in settingRules[key]) && !('privacy' in settingRules[key]),
)

/** Those of people's data. */
export type PrivacySettingKey = {
  [K in SettingKey]: (typeof settingRules)[K] extends { privacy: true } ? K : never
}[SettingKey]

/** The settings that browsers keep: neither secret nor the operator's. */
export const publicSettingKeys = settingKeys.filter(
  (key) => !('global' in settingRules[key]) && !('secret' in settingRules[key]),
)
