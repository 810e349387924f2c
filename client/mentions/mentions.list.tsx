import { Trans, useLingui } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { useNow } from '../base/now.ts'
import { useUsers } from '../replica/directory.ts'
import { useReplica } from '../replica/replica.tsx'
import { perform } from '../session/perform.ts'
import { listTime } from '../tickets/tickets.words.ts'
import { cn } from '../ui/cn.ts'
import type { MentionRow } from './mentions.rows.ts'

/** What the person was called for, newest first. Opening one is reading it. */
export function MentionList({ mentions, onGo }: { mentions: readonly MentionRow[]; onGo: () => void }) {
  const { t, i18n } = useLingui()
  const replica = useReplica()
  const navigate = useNavigate()
  const users = useUsers()
  const now = useNow()
  const open = ({ id, readAt, ticketUuid }: MentionRow) => {
    onGo()
    if (readAt === null) void perform(replica, 'mentions.read', { ids: [id] })
    void navigate({ to: '/tickets/$uuid', params: { uuid: ticketUuid } })
  }
  return (
    <section aria-label={t`Menções`} className="border-b pb-1">
      <h2 className="px-2 pt-1.5 pb-1 text-xs font-medium text-muted-foreground">
        <Trans>Menções</Trans>
      </h2>
      <ul className="max-h-56 overflow-y-auto overscroll-contain">
        {mentions.map((mention) => {
          const author = mention.byUserId === null ? undefined : users.byId.get(mention.byUserId)?.name
          return (
            <li key={mention.id}>
              <button
                type="button"
                onClick={() => open(mention)}
                className="focus-ring flex w-full flex-col rounded-md px-2 py-2 text-left outline-offset-[-2px] hover:bg-accent"
              >
                <span className="flex w-full items-baseline gap-2">
                  {mention.readAt === null && (
                    <span className="size-2 shrink-0 self-center rounded-full bg-primary">
                      <span className="sr-only">{t`Não lida`}</span>
                    </span>
                  )}
                  <span
                    className={cn('min-w-0 flex-1 truncate text-[0.8125rem]', mention.readAt === null && 'font-medium')}
                  >
                    {author ?? t`Usuário excluído`} · {mention.contactName || t`Contato sem nome`}
                  </span>
                  <span className="text-[0.6875rem] text-muted-foreground tabular-nums">
                    {listTime(mention.createdAt, now, i18n.locale)}
                  </span>
                </span>
                <span className="block w-full truncate text-xs text-muted-foreground">{mention.note}</span>
              </button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
