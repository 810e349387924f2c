import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { FileText, Music, Plus, SendHorizontal, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { cn } from '../ui/cn.ts'
import { Dialog, DialogContent, DialogFooter } from '../ui/dialog.tsx'
import { Textarea } from '../ui/textarea.tsx'
import { fileSize } from '../kit/file-size.ts'
import { isComposing } from '../base/is-composing.ts'

export interface Attachment {
  id: string
  file: File
  caption: string
}

/** What is about to be sent: each file large, with a caption of its own. */
export function AttachmentsDialog({
  attachments,
  onChange,
  onAdd,
  onSend,
  onClose,
}: {
  attachments: readonly Attachment[]
  onChange: (next: readonly Attachment[]) => void
  onAdd: (files: readonly File[]) => void
  onSend: () => void
  onClose: () => void
}) {
  const { t, i18n } = useLingui()
  const [currentId, setCurrentId] = useState<string | null>(null)
  const picker = useRef<HTMLInputElement>(null)
  const current = attachments.find((attachment) => attachment.id === currentId) ?? attachments[0]
  if (!current) return null
  const remove = (id: string) => {
    const rest = attachments.filter((attachment) => attachment.id !== id)
    if (rest.length === 0) onClose()
    else onChange(rest)
  }
  const setCaption = (caption: string) =>
    onChange(attachments.map((attachment) => (attachment.id === current.id ? { ...attachment, caption } : attachment)))
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        size="lg"
        title={<Plural value={attachments.length} one="Enviar # arquivo" other="Enviar # arquivos" />}
        onInteractOutside={(event) => event.preventDefault()}
      >
        <div className="flex min-h-0 flex-1 flex-col gap-3 px-5 pb-4">
          <div className="flex h-64 min-h-0 items-center justify-center overflow-hidden rounded-lg bg-muted">
            <Preview key={current.id} file={current.file} />
          </div>
          <p className="flex justify-between gap-3 text-xs text-muted-foreground">
            <span className="truncate">{current.file.name}</span>
            <span className="shrink-0 tabular-nums">{fileSize(current.file.size, i18n.locale)}</span>
          </p>
          <Textarea
            autoFocus
            maxRows={5}
            value={current.caption}
            aria-label={t`Legenda`}
            placeholder={t`Legenda (opcional)`}
            onChange={(event) => setCaption(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.shiftKey || isComposing(event.nativeEvent)) return
              event.preventDefault()
              onSend()
            }}
          />
          <ul className="-mx-1 flex gap-2 overflow-x-auto p-1 pt-2" aria-label={t`Arquivos`}>
            {attachments.map((attachment) => (
              <li key={attachment.id} className="relative shrink-0">
                <button
                  type="button"
                  aria-current={attachment === current}
                  aria-label={attachment.file.name}
                  onClick={() => setCurrentId(attachment.id)}
                  className={cn(
                    'focus-ring flex size-14 items-center justify-center overflow-hidden rounded-md bg-muted',
                    attachment === current && 'ring-2 ring-primary',
                  )}
                >
                  <Preview file={attachment.file} small />
                </button>
                <button
                  type="button"
                  aria-label={t`Retirar ${attachment.file.name}`}
                  onClick={() => remove(attachment.id)}
                  className="focus-ring absolute -top-1.5 -right-1.5 flex size-5 items-center justify-center rounded-full border bg-card text-muted-foreground shadow-xs hover:text-foreground touch:tap-area"
                >
                  <X className="size-3" />
                </button>
              </li>
            ))}
            <li>
              <button
                type="button"
                aria-label={t`Adicionar arquivos`}
                onClick={() => picker.current?.click()}
                className="focus-ring flex size-14 items-center justify-center rounded-md border border-dashed border-input text-muted-foreground hover:text-foreground"
              >
                <Plus className="size-5" />
              </button>
              <input
                ref={picker}
                type="file"
                multiple
                hidden
                onChange={(event) => {
                  onAdd([...(event.target.files ?? [])])
                  event.target.value = ''
                }}
              />
            </li>
          </ul>
        </div>
        <DialogFooter>
          <Button variant="outline" onClick={onClose}>
            <Trans>Cancelar</Trans>
          </Button>
          <Button onClick={onSend}>
            <SendHorizontal />
            <Trans>Enviar</Trans>
          </Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  )
}

function Preview({ file, small = false }: { file: File; small?: boolean }) {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    const made = URL.createObjectURL(file)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  if (file.type.startsWith('image/') && url)
    return (
      <img src={url} alt="" className={small ? 'size-full object-cover' : 'max-h-full max-w-full object-contain'} />
    )
  // What is about to be sent has no subtitles.
  // oxlint-disable-next-line jsx-a11y/media-has-caption
  if (file.type.startsWith('video/') && url && !small)
    return <video src={url} controls className="max-h-full max-w-full" />
  if (file.type.startsWith('audio/')) {
    return url && !small ? (
      <audio src={url} controls className="w-full px-6" />
    ) : (
      <Music aria-hidden="true" className="size-6 text-muted-foreground" />
    )
  }
  return (
    <FileText
      aria-hidden="true"
      strokeWidth={1.5}
      className={cn('text-muted-foreground', small ? 'size-6' : 'size-14')}
    />
  )
}
