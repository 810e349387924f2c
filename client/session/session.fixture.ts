import type { SessionUser } from './session-store.ts'

/** Somebody who is logged in, as the server tells of them. */
export const sessionUser = (given: Partial<SessionUser> = {}): SessionUser => ({
  id: 7,
  name: 'Ana',
  email: 'ana@exemplo.com',
  profile: 'user',
  super: false,
  companyId: 3,
  company: { id: 3, name: 'Padaria', dueDate: null },
  queues: [],
  whatsappId: null,
  allTicket: 'desabled',
  ...given,
})
