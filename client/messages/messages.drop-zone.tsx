import { Trans } from '@lingui/react/macro'
import { Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import type { DragEvent, ReactNode } from 'react'

/** Files dragged onto the conversation are attached. */
export function DropZone({
  enabled,
  onFiles,
  children,
}: {
  enabled: boolean
  onFiles: (files: readonly File[]) => void
  children: ReactNode
}) {
  const [over, setOver] = useState(false)
  const depth = useRef(0)
  const hasFiles = (event: DragEvent) => enabled && event.dataTransfer.types.includes('Files')
  return (
    <div
      className="relative flex h-full min-h-0 flex-col"
      onDragEnter={(event) => {
        if (!hasFiles(event)) return
        depth.current += 1
        setOver(true)
      }}
      onDragOver={(event) => hasFiles(event) && event.preventDefault()}
      onDragLeave={() => {
        depth.current = Math.max(0, depth.current - 1)
        if (depth.current === 0) setOver(false)
      }}
      onDrop={(event) => {
        depth.current = 0
        setOver(false)
        if (!hasFiles(event)) return
        event.preventDefault()
        onFiles([...event.dataTransfer.files])
      }}
    >
      {children}
      {over && (
        <div className="pointer-events-none absolute inset-2 z-20 flex flex-col items-center justify-center gap-2 rounded-xl border-2 border-dashed border-primary bg-primary-soft/90 font-medium text-primary-soft-foreground">
          <Upload aria-hidden="true" className="size-6" />
          <Trans>Solte para anexar</Trans>
        </div>
      )}
    </div>
  )
}
