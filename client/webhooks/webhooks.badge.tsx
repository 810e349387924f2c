import { useLingui } from '@lingui/react/macro'
import { useEffect } from 'react'
import { setMenuBadge } from '../base/menu-badges.ts'
import { usePlanFeature } from '../session/plan.ts'
import { useCan } from '../session/session.tsx'
import { useCompanyEvent } from '../session/use-event.ts'
import { toast } from '../ui/toaster.tsx'
import { useWebhooks } from './webhooks.queries.ts'

/** Marks the menu's webhooks with '!' while one was switched off, and tells admins when that happens. */
export default function WebhooksBadge() {
  const may = useCan('webhooks:write')
  const included = usePlanFeature('useExternalApi')
  return may && included ? <Watch /> : null
}

function Watch() {
  const { t } = useLingui()
  const { data } = useWebhooks()
  const isOff = data?.some(({ disabledReason }) => disabledReason !== null) === true
  const label = t`Há webhook desligado por falhas`
  useEffect(() => {
    if (!isOff) return
    setMenuBadge('/webhooks', { mark: '!', label })
    return () => setMenuBadge('/webhooks', null)
  }, [isOff, label])
  useCompanyEvent('webhook', (event) => {
    if ((event as { action?: unknown }).action === 'disabled')
      toast.error(t`Um webhook foi desligado porque o endereço não aceita mais entregas. Veja Webhooks.`)
  })
  return null
}
