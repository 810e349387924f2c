import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { cn } from '../ui/cn.ts'
import { Tabs, TabsList, TabsTrigger } from '../ui/tabs.tsx'
import type { Pane } from '../base/panes.ts'

/** Goes from one to the other. `hidden`: what is open has a way back of its own. */
export function PaneTabs({
  pane,
  onChange,
  hidden,
  tabs,
}: {
  pane: Pane
  onChange: (next: Pane) => void
  hidden: boolean
  tabs: readonly { pane: Pane; name: ReactNode }[]
}) {
  const { t } = useLingui()
  return (
    <Tabs
      value={pane}
      onValueChange={(next) => onChange(next as Pane)}
      className={cn('border-b bg-card px-3 py-1.5', hidden && 'hidden')}
    >
      <TabsList look="pill" aria-label={t`Painéis`}>
        {tabs.map((tab) => (
          <TabsTrigger key={tab.pane} value={tab.pane}>
            {tab.name}
          </TabsTrigger>
        ))}
      </TabsList>
    </Tabs>
  )
}
