import { Trans, useLingui } from '@lingui/react/macro'
import { SendHorizontal, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { toast } from '../ui/toaster.tsx'
import { clock } from './messages.parts.ts'
import type { Recording } from './messages.voice-recorder.ts'

const bars = 28

/** What stands in the composer's place while a voice note is recorded. Escape throws it away, Enter sends it. */
export function VoiceBar({
  recording,
  onSend,
  onDone,
}: {
  recording: Recording
  onSend: (file: File) => void
  onDone: () => void
}) {
  const { t } = useLingui()
  const [startedAt] = useState(() => Date.now())
  const [levels, setLevels] = useState<readonly number[]>(() => Array.from({ length: bars }, () => 0))
  const [sending, setSending] = useState(false)
  const over = useRef(false)
  const [seconds, setSeconds] = useState(0)

  useEffect(() => {
    const timer = setInterval(() => {
      setSeconds((Date.now() - startedAt) / 1000)
      setLevels((old) => [...old.slice(1), recording.level()])
    }, 90)
    return () => clearInterval(timer)
  }, [recording, startedAt])
  const leaving = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    clearTimeout(leaving.current)
    return () => {
      // Leaving the conversation ends the microphone too; being mounted again at once (StrictMode) does not.
      leaving.current = setTimeout(() => {
        if (!over.current) recording.cancel()
      }, 0)
    }
  }, [recording])

  const cancel = () => {
    if (over.current) return
    over.current = true
    recording.cancel()
    onDone()
  }
  const send = async () => {
    if (over.current) return
    over.current = true
    setSending(true)
    try {
      const file = await recording.finish()
      if (file) onSend(file)
      else toast.info(t`Gravação curta demais; nada foi enviado`)
    } catch {
      toast.error(t`A gravação falhou`)
    } finally {
      onDone()
    }
  }
  return (
    <div
      role="group"
      data-escape
      aria-label={t`Gravação de voz`}
      className="flex items-center gap-2"
      onKeyDown={(event) => {
        if (event.key === 'Escape') cancel()
      }}
    >
      <Button
        variant="ghost"
        size="icon"
        aria-label={t`Descartar a gravação`}
        onClick={cancel}
        disabled={sending}
        className="text-muted-foreground"
      >
        <Trash2 />
      </Button>
      <div className="flex h-9 min-w-0 flex-1 items-center gap-3 rounded-md bg-muted px-3">
        <span aria-hidden="true" className="size-2 shrink-0 animate-pulse rounded-full bg-destructive" />
        <span role="timer" className="text-sm tabular-nums">
          {clock(seconds)}
        </span>
        <span aria-hidden="true" className="flex h-5 min-w-0 flex-1 items-center gap-[3px] overflow-hidden">
          {levels.map((level, index) => (
            <span
              key={index}
              className="w-[3px] shrink-0 rounded-full bg-primary/70"
              style={{ height: `${Math.max(12, level * 100)}%` }}
            />
          ))}
        </span>
        <span className="text-xs text-muted-foreground max-sm:hidden">
          {sending ? <Trans>Enviando…</Trans> : <Trans>Gravando</Trans>}
        </span>
      </div>
      <Button size="icon" autoFocus aria-label={t`Enviar a gravação`} busy={sending} onClick={() => void send()}>
        <SendHorizontal />
      </Button>
    </div>
  )
}
