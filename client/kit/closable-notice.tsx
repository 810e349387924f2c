import { useLingui } from '@lingui/react/macro'
import { X } from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'

/** A warning above the screen that the person may put away. */
export function ClosableNotice({
  icon: Icon,
  onClose,
  children,
}: {
  icon: LucideIcon
  onClose: () => void
  children: ReactNode
}) {
  const { t } = useLingui()
  return (
    <div
      role="status"
      className="flex items-center gap-2.5 border-b bg-warning-soft py-1 pr-2 pl-4 text-sm text-warning-soft-foreground"
    >
      <Icon aria-hidden="true" className="size-4 shrink-0" />
      <p className="min-w-0 flex-1">{children}</p>
      <Button variant="ghost" size="icon-sm" aria-label={t`Fechar o aviso`} className="text-inherit" onClick={onClose}>
        <X />
      </Button>
    </div>
  )
}
