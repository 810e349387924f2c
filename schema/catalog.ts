import type { Static } from '@sinclair/typebox'
import { chatCommands } from './chats/chats.commands.ts'
import { contactCommands } from './contacts/contacts.commands.ts'
import { draftCommands } from './drafts/drafts.commands.ts'
import { filterCommands } from './filters/filters.commands.ts'
import { flowCommands } from './flows/flows.commands.ts'
import { macroCommands } from './macros/macros.commands.ts'
import { mentionCommands } from './mentions/mentions.commands.ts'
import { messageCommands } from './messages/messages.commands.ts'
import { noteCommands } from './notes/notes.commands.ts'
import { optOutCommands } from './opt-outs/opt-outs.commands.ts'
import { scheduleCommands } from './schedules/schedules.commands.ts'
import { bulkCommands } from './tickets/tickets.bulk.ts'
import { ticketCommands } from './tickets/tickets.commands.ts'
import { supervisorCommands } from './tickets/tickets.supervisor.ts'
import { userCommands } from './users/users.commands.ts'

/**
 * Every command that a browser may write while offline: shown at once, kept in the outbox, sent in order, and run
 * again by the server, whose word counts.
 */
export const catalog = {
  ...ticketCommands,
  ...contactCommands,
  ...bulkCommands,
  ...supervisorCommands,
  ...userCommands,
  ...macroCommands,
  ...messageCommands,
  ...noteCommands,
  ...mentionCommands,
  ...scheduleCommands,
  ...draftCommands,
  ...filterCommands,
  ...chatCommands,
  ...flowCommands,
  ...optOutCommands,
}

export type CommandName = keyof typeof catalog
export type CommandInput<N extends CommandName> = Static<(typeof catalog)[N]['input']>
/** What travels: `id` is the idempotency key (a UUIDv7 made by the caller). */
export type CommandCall = { [N in CommandName]: { id: string; name: N; input: CommandInput<N> } }[CommandName]
