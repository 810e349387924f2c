import { useLingui } from '@lingui/react/macro'
import { Suspense } from 'react'
import { onDemand } from '../base/late.tsx'
import { useCan } from '../session/session.tsx'
import { useStore } from '../base/store.ts'
import { useActions } from '../kit/actions.ts'
import { trying } from './automation.try.ts'

const TryDialog = onDemand(() => import('./automation.try-dialog.tsx'))

/** "What would be answered?" and "Would we be open?", from the palette and from the screens that have a button for it. */
export default function AutomationBackground() {
  const { t } = useLingui()
  const about = useStore(trying)
  const may = useCan('automations:trace')
  const group = t`Em qualquer tela`
  useActions([
    {
      id: 'automations.preview',
      label: t`O que responderia?`,
      keywords: t`testar resposta automática menu fluxo`,
      group,
      when: may,
      run: () => trying.set('reply'),
    },
    {
      id: 'automations.hours',
      label: t`Testar horário`,
      keywords: t`aberto fechado expediente`,
      group,
      when: may,
      run: () => trying.set('hours'),
    },
  ])
  return (
    <Suspense fallback={null}>
      {may && about !== null && <TryDialog about={about} onClose={() => trying.set(null)} />}
    </Suspense>
  )
}
