import { Trans, useLingui } from '@lingui/react/macro'
import { Paperclip, RotateCcw, SendHorizontal } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useRows } from '../replica/live-rows.ts'
import { useNow } from '../base/now.ts'
import { ownCompany } from '../replica/own-company.ts'
import { useUser } from '../session/session.tsx'
import { FormattedText } from '../kit/formatted-text.tsx'
import { Button } from '../ui/button.tsx'
import { cn } from '../ui/cn.ts'
import { Input } from '../ui/input.tsx'
import { walk } from './queue-options.preview.ts'
import type { QueueOption } from './queue-options.queries.ts'

/** The queue as a contact meets it: what is written here is answered by the rules of the server. */
export function TrialChat({
  queue,
  options,
}: {
  queue: { id: number; name: string; greetingMessage: string; fileName: string | null }
  options: readonly QueueOption[]
}) {
  const { t } = useLingui()
  const { company } = useUser()
  const stored = useRows(ownCompany).rows?.[0]
  const now = useNow()
  const [texts, setTexts] = useState<readonly string[]>([])
  const [typed, setTyped] = useState('')
  const end = useRef<HTMLDivElement>(null)
  const about = {
    name: company.name,
    language: stored?.language ?? ('pt' as const),
    timeZone: stored?.timeZone ?? 'America/Sao_Paulo',
  }
  const lines = walk(queue, options, about, texts, new Date(now))
  useEffect(() => {
    const box = end.current?.parentElement
    if (box) box.scrollTop = box.scrollHeight
  }, [lines.length])
  const send = () => {
    const text = typed.trim()
    if (text === '') return
    setTexts([...texts, text])
    setTyped('')
  }
  return (
    <section aria-label={t`Como o contato vê`} className="flex h-96 min-h-0 flex-col overflow-hidden rounded-lg border">
      <header className="flex items-center gap-2 border-b bg-muted/50 py-1.5 pr-1.5 pl-3">
        <h3 className="min-w-0 flex-1 truncate text-xs font-semibold">
          <Trans>Como o contato vê</Trans>
        </h3>
        <Button
          variant="ghost"
          size="icon-sm"
          aria-label={t`Recomeçar`}
          title={t`Recomeçar`}
          disabled={texts.length === 0}
          onClick={() => setTexts([])}
        >
          <RotateCcw />
        </Button>
      </header>
      <div className="flex min-h-0 flex-1 flex-col gap-2 overflow-y-auto p-3" tabIndex={0} role="log">
        {lines.length === 0 && (
          <p className="m-auto text-center text-sm text-muted-foreground">
            <Trans>Sem saudação e sem opções, o robô fica em silêncio.</Trans>
          </p>
        )}
        {lines.map((line, index) => (
          <div
            key={index}
            className={cn(
              'max-w-[90%] rounded-lg px-2.5 py-1.5 text-sm break-words whitespace-pre-wrap',
              line.from === 'contact' ? 'self-end bg-primary-soft text-primary-soft-foreground' : 'self-start bg-muted',
            )}
          >
            {line.file !== null && (
              <span className="flex items-center gap-1.5 font-medium">
                <Paperclip aria-hidden="true" className="size-4 shrink-0" />
                <span className="truncate">{line.file}</span>
              </span>
            )}
            {line.text !== '' && <FormattedText text={line.text} />}
          </div>
        ))}
        <div ref={end} />
      </div>
      <div className="flex items-center gap-1 border-t p-1.5">
        <Input
          aria-label={t`Escreva como o contato`}
          placeholder={t`Escreva como o contato`}
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            // The dialog around it is a form.
            event.preventDefault()
            send()
          }}
        />
        <Button variant="ghost" size="icon" aria-label={t`Enviar`} disabled={typed.trim() === ''} onClick={send}>
          <SendHorizontal />
        </Button>
      </div>
    </section>
  )
}
