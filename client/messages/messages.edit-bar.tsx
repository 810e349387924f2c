import { Trans, useLingui } from '@lingui/react/macro'
import { Check, PenLine, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { toastError } from '../session/failure.tsx'
import { useReplica } from '../replica/replica.tsx'
import { perform } from '../session/perform.ts'
import { Button } from '../ui/button.tsx'
import { Textarea } from '../ui/textarea.tsx'
import type { MessageRow } from './messages.rows.ts'
import { splitSignature } from '../kit/signature.ts'
import { wholeText } from '../kit/whole-text.ts'
import { isComposing } from '../base/is-composing.ts'

/** Changes the text of an own message, all of it, also where its row holds only the beginning. */
export function EditBar({ row, onDone }: { row: MessageRow; onDone: () => void }) {
  const [whole, setWhole] = useState(row.isCut ? null : row.body)
  useEffect(() => {
    let isHere = true
    if (whole === null)
      wholeText(row.id).then(
        (text) => isHere && setWhole(text),
        (error: unknown) => {
          if (!isHere) return
          toastError(error)
          onDone()
        },
      )
    return () => {
      isHere = false
    }
  }, [row, whole, onDone])
  return whole === null ? null : <EditField row={row} whole={whole} onDone={onDone} />
}

/** The signature before the text stays as it was. */
function EditField({ row, whole, onDone }: { row: MessageRow; whole: string; onDone: () => void }) {
  const { t } = useLingui()
  const replica = useReplica()
  const { signature, text: original } = splitSignature(whole)
  const [text, setText] = useState(original)
  const save = async () => {
    const body = text.trim()
    if (body === '') return
    if (body === original.trim()) return onDone()
    if (await perform(replica, 'messages.edit', { messageId: row.id, body: signature + body })) onDone()
  }
  return (
    <div className="border-t bg-card px-2 pt-2 pb-[max(0.5rem,env(safe-area-inset-bottom))] sm:px-3">
      <p className="flex items-center gap-1.5 px-1 pb-1.5 text-xs font-medium text-primary-soft-foreground">
        <PenLine aria-hidden="true" className="size-3.5" />
        <Trans>Editar mensagem</Trans>
      </p>
      <div className="flex items-end gap-1">
        <Textarea
          autoFocus
          maxRows={6}
          value={text}
          aria-label={t`Novo texto da mensagem`}
          onFocus={(event) => event.target.setSelectionRange(text.length, text.length)}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (isComposing(event.nativeEvent)) return
            if (event.key === 'Escape') {
              event.stopPropagation()
              onDone()
            } else if (event.key === 'Enter' && !event.shiftKey) {
              event.preventDefault()
              void save()
            }
          }}
          className="min-h-8 flex-1 shadow-none touch:min-h-11 touch:py-2.5"
        />
        <Button
          variant="ghost"
          size="icon"
          aria-label={t`Não editar`}
          onClick={onDone}
          className="text-muted-foreground"
        >
          <X />
        </Button>
        <Button size="icon" aria-label={t`Salvar a edição`} disabled={text.trim() === ''} onClick={() => void save()}>
          <Check />
        </Button>
      </div>
    </div>
  )
}
