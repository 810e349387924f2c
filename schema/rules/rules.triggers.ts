/** What makes a company's rules be asked. */
export const ruleTriggers = [
  'created',
  /** The contact wrote. */
  'messageIn',
  /** The contact answers a campaign, each message of it once. */
  'campaignReply',
  /** A person of the company wrote. */
  'messageOut',
  'status',
  'queue',
  /** Another agent has it, or none. */
  'user',
  'tagged',
  'slaWarning',
  'slaBreach',
  /** Nobody has written for so many minutes. */
  'idle',
  /** The contact said how the service was. */
  'rated',
] as const
export type RuleTrigger = (typeof ruleTriggers)[number]
