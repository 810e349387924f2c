import { Trans } from '@lingui/react/macro'
import { Eye } from 'lucide-react'

/** The head of a preview, which says that nothing is marked read. */
export function PreviewNote() {
  return (
    <p className="flex items-center gap-2 border-b bg-muted px-5 py-1.5 text-xs text-muted-foreground">
      <Eye aria-hidden="true" className="size-3.5" />
      <Trans>Só visualização: nada é marcado como lido.</Trans>
    </p>
  )
}
