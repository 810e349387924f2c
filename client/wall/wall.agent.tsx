import { Trans, useLingui } from '@lingui/react/macro'
import { UserRoundCheck, UserRoundX } from 'lucide-react'
import { Suspense, useState } from 'react'
import { onDemand } from '../base/late.tsx'
import { useReplica } from '../replica/replica.tsx'
import { perform } from '../session/perform.ts'
import { DropdownMenu, DropdownMenuContent, DropdownMenuItem, DropdownMenuTrigger } from '../ui/dropdown-menu.tsx'
import type { Wall } from './wall.queries.ts'

const AwayDialog = onDemand(() => import('../account/away-dialog.tsx'))

/** An agent's name. Who may say so marks them as away from here, or as back; nothing shows that before it is pressed. */
export function WallAgent({ agent }: { agent: Wall['agents'][number] }) {
  const { t } = useLingui()
  const replica = useReplica()
  const [isLeaving, setLeaving] = useState(false)
  const { id, name, state } = agent
  return (
    <>
      <DropdownMenu>
        <DropdownMenuTrigger aria-label={t`Ações de ${name}`} className="focus-ring min-w-0 truncate rounded-sm">
          {name}
        </DropdownMenuTrigger>
        <DropdownMenuContent align="start" className="dark bg-popover text-popover-foreground scheme-dark">
          {state === 'away' ? (
            <DropdownMenuItem onSelect={() => void perform(replica, 'users.setAway', { userId: id, away: false })}>
              <UserRoundCheck />
              <Trans>Marcar como de volta</Trans>
            </DropdownMenuItem>
          ) : (
            <DropdownMenuItem onSelect={() => setLeaving(true)}>
              <UserRoundX />
              <Trans>Marcar como ausente…</Trans>
            </DropdownMenuItem>
          )}
        </DropdownMenuContent>
      </DropdownMenu>
      <Suspense fallback={null}>
        {isLeaving && <AwayDialog colleague={agent} onClose={() => setLeaving(false)} />}
      </Suspense>
    </>
  )
}
