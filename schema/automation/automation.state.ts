import type { AutomationState } from './automation.table.ts'

/** What the automation remembers of a service, without where it is kept. */
export type Memory = Omit<AutomationState, 'ticketId' | 'companyId' | 'serviceId'>

/** Of a service in which nothing was said yet. */
export const blank: Memory = {
  greeted: false,
  menusSent: 0,
  menuSentAt: null,
  enteredQueueId: null,
  optionId: null,
  inOptions: false,
  misses: 0,
  defaultFlow: false,
  hoursToldAt: null,
  session: null,
  sessionAt: null,
  menuAskedAt: null,
  answeredByPhone: false,
  handedOver: false,
  botOver: false,
}
