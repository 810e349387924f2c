import { Elysia, t } from 'elysia'
import { mentionCommands } from '../../schema/mentions/mentions.commands.ts'
import { commandKey } from '../http/commands.routes.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed } from '../http/guard.ts'
import { flag, isTrue, pageNumber } from '../http/inputs.ts'
import { listMentions, unreadMentions } from './mentions.queries.ts'

const tags = ['mentions']

/** What a person was called for in notes. */
export function mentionRoutes(deps: AppDeps) {
  const { db, runCommand, events } = deps
  return new Elysia({ prefix: '/mentions' })
    .use(authed(deps))
    .get(
      '/',
      ({ who, query }) => listMentions(db, who, { isUnread: isTrue(query.unread), pageNumber: query.pageNumber ?? 1 }),
      {
        query: t.Object({ unread: flag, pageNumber }),
        detail: { tags, summary: 'Notes that call the person, newest first, of tickets that they see' },
      },
    )
    .post(
      '/read',
      async ({ who, body, request }) => {
        await runCommand(who, { id: commandKey(request), name: 'mentions.read', input: body })
        const unread = await unreadMentions(db, who)
        events.emit({
          ...{ companyId: who.companyId, name: 'mention', action: 'read' },
          payload: { unread },
          audience: { userId: who.userId },
        })
        return { unread }
      },
      {
        body: mentionCommands['mentions.read'].input,
        detail: { tags, summary: 'Mark as read; what is not the person’s own is passed over' },
      },
    )
}
