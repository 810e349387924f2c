import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { api } from '../session/api.ts'
import { planLimitText } from '../session/error-text.ts'
import { useFetched } from '../session/fetched.ts'
import { useCan, useUser } from '../session/session.tsx'
import { useCompanyEvent } from '../session/use-event.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogBody, DialogContent, DialogFooter } from '../ui/dialog.tsx'

type Counted = 'users' | 'connections' | 'queues'

interface Room {
  plan: Record<Counted, number> | null
  used: Record<Counted, number>
}

/**
 * Tells that the plan has no room for one more before a form is filled in for nothing. The server refuses by itself.
 *
 * @returns what opens the form where there is room, and the word that there is none
 */
export function usePlanRoom(what: Counted): { whereRoom: (open: () => void) => void; full: ReactNode } {
  const { companyId } = useUser()
  const path = `/companies/listPlan/${companyId}`
  const { data, reload } = useFetched<Room>(path)
  useCompanyEvent(events[what], reload)
  const [limit, setLimit] = useState<number | null>(null)
  const decide = (room: Room | undefined, open: () => void) => {
    const most = room?.plan?.[what]
    if (room && most !== undefined && room.used[what] >= most) setLimit(most)
    else open()
  }
  return {
    whereRoom: (open) => {
      if (data) return decide(data, open)
      // Who is quicker than the answer waits for it; without one the form opens.
      api.get<Room>(path).then(
        (room) => decide(room, open),
        () => open(),
      )
    },
    full: limit !== null && <PlanFull what={what} limit={limit} onClose={() => setLimit(null)} />,
  }
}

const events = { users: 'user', connections: 'whatsapp', queues: 'queue' } as const

function PlanFull({ what, limit, onClose }: { what: Counted; limit: number; onClose: () => void }) {
  const { t } = useLingui()
  const mayPay = useCan('invoices:pay')
  const { super: isOperator } = useUser()
  return (
    <Dialog open onOpenChange={onClose}>
      <DialogContent title={t`O plano não tem mais lugar`} size="sm">
        <DialogBody className="flex flex-col gap-2 text-sm">
          <p className="font-medium">{planLimitText(limit, what)}.</p>
          <p className="text-muted-foreground">
            {isOperator ? (
              <Trans>Para ter mais, aumente o plano nas Configurações, em Planos, ou apague o que não se usa.</Trans>
            ) : mayPay ? (
              <Trans>Para ter mais, veja os outros planos na Assinatura, ou apague o que não se usa.</Trans>
            ) : (
              <Trans>Para ter mais, fale com quem cuida da assinatura da empresa, ou apague o que não se usa.</Trans>
            )}
          </p>
        </DialogBody>
        <DialogFooter>
          <Button variant="outline" onClick={onClose}>
            <Trans>Fechar</Trans>
          </Button>
          {isOperator ? (
            <Button asChild>
              <Link to="/settings" search={{ tab: 'plans' }}>
                <Trans>Ver planos</Trans>
              </Link>
            </Button>
          ) : (
            mayPay && (
              <Button asChild>
                <Link to="/subscription">
                  <Trans>Ver planos</Trans>
                </Link>
              </Button>
            )
          )}
        </DialogFooter>
      </DialogContent>
    </Dialog>
  )
}
