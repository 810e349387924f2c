import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { ownQueues } from '../../schema/permissions.ts'
import type { SlaMetric } from '../../schema/sla-policies/sla.metrics.ts'
import { notify } from '../notifications/notifications.notice.ts'
import { usePrincipal } from '../session/session.tsx'
import { useCompanyEvent } from '../session/use-event.ts'
import { toast } from '../ui/toaster.tsx'
import { useSlaWords } from './sla-policies.words.ts'

interface Told {
  /** `escalated`: the policy names this person. */
  action: 'warning' | 'breach' | 'escalated'
  /** Of the first of them. */
  sla: { ticketId: number; uuid: string; metric: SlaMetric; userId: number | null; queueId: number | null }
  ticketIds: number[]
}

/** Says that a promise is at risk or broken: to who serves the ticket, to those of its queue while nobody does, and to whom its policy names. */
export default function SlaNotices() {
  const { t } = useLingui()
  const who = usePrincipal()
  const navigate = useNavigate()
  const { metrics } = useSlaWords()
  useCompanyEvent('sla', (data) => {
    const { action, sla, ticketIds } = data as Told
    const count = ticketIds.length
    const { ticketId, uuid, metric, userId, queueId } = sla
    const isTheirs = userId === null ? ownQueues(who).includes(queueId) : userId === who.userId
    if (action !== 'escalated' && !isTheirs) return
    const title = action === 'warning' ? t`Prazo perto do fim` : t`Prazo vencido`
    const body =
      count === 1
        ? t`Atendimento nº ${ticketId}: ${metrics[metric]}`
        : plural(count, { one: '# atendimento', other: '# atendimentos' })
    // Of many at once the last one is shown; the list has them all, the nearest above.
    toast.warning(title, {
      ...{ id: `sla ${action === 'warning' ? action : 'breach'}`, description: body },
      action: { label: t`Abrir`, onClick: () => void navigate({ to: '/tickets/$uuid', params: { uuid } }) },
    })
    notify(title, body, `sla ${uuid}`, `/tickets/${uuid}`)
  })
  return null
}
