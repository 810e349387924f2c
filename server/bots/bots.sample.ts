import type { Principal } from '../../schema/permissions.ts'
import type { BotConversation } from './bots.answer.ts'

/** A conversation that nobody has, for whoever tries a bot. */
export const sampleConversation = (
  who: Pick<Principal, 'name'>,
  text: string,
  more: Partial<BotConversation> = {},
): BotConversation => ({
  ticket: { id: 0, uuid: '00000000-0000-4000-8000-000000000000' },
  contact: { id: 0, name: who.name, number: '5500000000000', email: '' },
  connection: { id: 0, name: '' },
  queue: null,
  history: [],
  message: { id: 'test', type: 'text', text },
  ...more,
})
