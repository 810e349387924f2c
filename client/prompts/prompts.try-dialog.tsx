import { Trans, useLingui } from '@lingui/react/macro'
import { CornerDownRight, RotateCcw, SendHorizontal } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { useConnectionState } from '../session/connection-state.ts'
import { errorText } from '../session/error-text.ts'
import { NeedsNetwork } from '../kit/form.tsx'
import { FormattedText } from '../kit/formatted-text.tsx'
import { Button } from '../ui/button.tsx'
import { cn } from '../ui/cn.ts'
import { Dialog, DialogContent } from '../ui/dialog.tsx'
import { Input } from '../ui/input.tsx'
import { Spinner } from '../ui/spinner.tsx'

/** A line of a conversation that is tried out. */
export type TryLine =
  | { from: 'me' | 'bot'; text: string }
  | { from: 'bot'; sound: string }
  | { from: 'note'; text: string; isFailure?: true }

/** A conversation with a bot that nobody else has: what is written is answered as a contact would be. */
export function TryDialog({
  title,
  description,
  ask,
  onClose,
}: {
  title: ReactNode
  description: ReactNode
  /** @param lines what was said before @param isFirst nothing was */
  ask: (text: string, lines: readonly TryLine[], isFirst: boolean) => Promise<TryLine[]>
  onClose: () => void
}) {
  const { t } = useLingui()
  const offline = useConnectionState() === 'offline'
  const [lines, setLines] = useState<readonly TryLine[]>([])
  const [text, setText] = useState('')
  const [busy, setBusy] = useState(false)
  const end = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'end' })
  }, [lines, busy])

  const send = async () => {
    const said = text.trim()
    if (!said || busy || offline) return
    const before = lines
    setText('')
    setBusy(true)
    setLines([...before, { from: 'me', text: said }])
    try {
      const answer = await ask(said, before, before.length === 0)
      setLines((now) => [...now, ...answer])
    } catch (error) {
      setLines((now) => [...now, { from: 'note', text: errorText(error), isFailure: true }])
    } finally {
      setBusy(false)
      field.current?.focus()
    }
  }

  return (
    <Dialog open onOpenChange={onClose}>
      <DialogContent title={title} description={description}>
        <div
          role="log"
          aria-label={t`Conversa de teste`}
          aria-busy={busy}
          tabIndex={0}
          className="focus-ring flex h-80 min-h-40 flex-1 flex-col gap-2 overflow-y-auto border-y bg-muted/40 px-5 py-4 outline-offset-[-2px]"
        >
          {lines.length === 0 && (
            <p className="m-auto max-w-72 text-center text-sm text-muted-foreground">
              <Trans>Escreva como se fosse um contato. Nenhum contato recebe nada.</Trans>
            </p>
          )}
          {lines.map((line, index) => (
            <Line key={index} line={line} />
          ))}
          {busy && (
            <span role="status" className="flex items-center gap-2 text-sm text-muted-foreground">
              <Spinner />
              <Trans>Esperando a resposta…</Trans>
            </span>
          )}
          <div ref={end} />
        </div>
        {offline && <NeedsNetwork className="mx-5 mt-3" />}
        <form
          className="flex items-center gap-2 px-5 py-3"
          onSubmit={(event) => {
            event.preventDefault()
            void send()
          }}
        >
          <Button
            variant="ghost"
            size="icon"
            aria-label={t`Começar de novo`}
            disabled={busy || lines.length === 0}
            onClick={() => setLines([])}
          >
            <RotateCcw />
          </Button>
          <Input
            ref={field}
            autoFocus
            autoComplete="off"
            aria-label={t`Mensagem de teste`}
            placeholder={t`Escreva uma mensagem`}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
          <Button type="submit" size="icon" aria-label={t`Enviar`} disabled={offline || busy || !text.trim()}>
            <SendHorizontal />
          </Button>
        </form>
      </DialogContent>
    </Dialog>
  )
}

function Line({ line }: { line: TryLine }) {
  const { t } = useLingui()
  if (line.from === 'note')
    return (
      <p
        className={cn(
          'flex max-w-full items-start gap-1.5 text-xs',
          line.isFailure ? 'text-destructive-soft-foreground' : 'text-muted-foreground',
        )}
      >
        <CornerDownRight aria-hidden="true" className="mt-0.5 size-3.5 shrink-0" />
        <span className="min-w-0 wrap-anywhere">{line.text}</span>
      </p>
    )
  // oxlint-disable-next-line jsx-a11y/media-has-caption -- what it says stands above it
  if ('sound' in line) return <audio controls src={line.sound} aria-label={t`Resposta falada`} className="h-10 w-64" />
  return (
    <div
      className={cn(
        'max-w-[85%] rounded-xl px-3 py-1.5 text-sm',
        line.from === 'me' ? 'self-end bg-primary-soft text-primary-soft-foreground' : 'self-start border bg-card',
      )}
    >
      <FormattedText text={line.text} />
    </div>
  )
}
