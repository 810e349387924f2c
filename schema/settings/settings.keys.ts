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
  /** Never sent to a browser in clear. */
  secret?: true
}

const onOff = ['enabled', 'disabled'] as const

export const settingRules = {
  userRating: { default: 'disabled', values: onOff },
  scheduleType: { default: 'disabled', values: ['disabled', 'queue', 'company'] },
  CheckMsgIsGroup: { default: 'enabled', values: onOff },
  call: { default: 'disabled', values: onOff },
  chatBotType: { default: 'text', values: ['text'] },
  sendGreetingAccepted: { default: 'disabled', values: onOff },
  sendMsgTransfTicket: { default: 'disabled', values: onOff },
  sendGreetingMessageOneQueues: { default: 'disabled', values: onOff },
  campaignsEnabled: { default: 'true', values: ['true', 'false', 'enabled'] },
  /** Hours within which a contact's message reopens a closed ticket; 0 never. */
  reopenWindowHours: { default: '2', values: ['0', '1', '2', '4', '8', '12', '24', '48', '72'] },
  allowregister: { default: 'disabled', values: onOff, global: true },
  viewregister: { default: 'disabled', values: onOff, global: true },
  trial: { default: '3', values: ['1', '2', '3', '4', '5', '6', '7'], global: true },
  ipixc: { default: '', global: true, secret: true },
  tokenixc: { default: '', global: true, secret: true },
  ipmkauth: { default: '', global: true, secret: true },
  clientidmkauth: { default: '', global: true, secret: true },
  clientsecretmkauth: { default: '', global: true, secret: true },
  asaas: { default: '', global: true, secret: true },
} as const satisfies Record<string, SettingRule>

export type SettingKey = keyof typeof settingRules
export const settingKeys = Object.keys(settingRules) as SettingKey[]

/** The settings that browsers keep: neither secret nor the operator's. */
export const publicSettingKeys = settingKeys.filter((key) => !('global' in settingRules[key]))
