import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { settingBounds } from '../../schema/campaigns/campaigns.settings.ts'
import { useConnectionState } from '../session/connection-state.ts'
import { toastError } from '../session/failure.tsx'
import { useFetched } from '../session/fetched.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../ui/card.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { toast } from '../ui/toaster.tsx'
import { campaigns, type Line } from './campaigns.queries.ts'
import { usePauseWords } from './campaigns.words.tsx'

/** What each connection may send to many a day. */
export function LinesCard() {
  const { data, reload } = useFetched<{ records: Line[] }>('/campaign-settings/lines')
  if (!data || data.records.length === 0) return null
  return (
    <Card className="max-w-3xl">
      <CardHeader
        title={<Trans>Limites por conexão</Trans>}
        description={
          <Trans>
            Campanhas, agendamentos em massa e a API contam juntos. Vazio: o limite da empresa, e o aquecimento de 20 a
            500 conversas novas por dia.
          </Trans>
        }
      />
      <CardBody>
        <ul className="flex flex-col divide-y">
          {data.records.map((line) => (
            <LineForm key={`${line.id} ${line.dailyCap} ${line.newChatCap}`} line={line} onSaved={reload} />
          ))}
        </ul>
      </CardBody>
    </Card>
  )
}

const shown = (cap: number | null) => (cap === null ? '' : String(cap))
const read = (text: string, least: number) =>
  text.trim() === '' ? null : Math.max(least, Math.trunc(Number(text)) || 0)

function LineForm({ line, onSaved }: { line: Line; onSaved: () => void }) {
  const { t } = useLingui()
  const offline = useConnectionState() === 'offline'
  const pauseWords = usePauseWords()
  const [daily, setDaily] = useState(shown(line.dailyCap))
  const [fresh, setFresh] = useState(shown(line.newChatCap))
  const [busy, setBusy] = useState(false)
  const changed = daily !== shown(line.dailyCap) || fresh !== shown(line.newChatCap)
  const stopped = pauseWords(line.stopReason)
  const write = async (values: Parameters<typeof campaigns.writeLine>[1], done: string) => {
    setBusy(true)
    try {
      await campaigns.writeLine(line.id, values)
      toast.success(done)
      onSaved()
    } catch (error) {
      toastError(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <li>
      <form
        aria-label={line.name}
        className="flex flex-wrap items-end gap-3 py-3"
        onSubmit={(event) => {
          event.preventDefault()
          void write(
            { dailyCap: read(daily, settingBounds.leastDailyCap), newChatCap: read(fresh, 0) },
            t`Limites salvos`,
          )
        }}
      >
        <div className="flex min-w-44 flex-1 flex-col items-start gap-1 self-center">
          <span className="text-sm font-medium">{line.name}</span>
          <span className="text-xs text-muted-foreground tabular-nums">
            <Trans>
              Hoje: {line.sentToday} de {line.mostToday}; conversas novas: {line.newToday} de {line.mostNewToday}
            </Trans>
          </span>
          {stopped && (
            <>
              <Badge tone="warning" className="whitespace-normal">
                {stopped}
              </Badge>
              <Button
                variant="outline"
                size="sm"
                busy={busy}
                disabled={offline}
                onClick={() => void write({ stopped: false }, t`Os envios em massa desta conexão foram retomados`)}
              >
                <Trans>Retomar envios em massa</Trans>
              </Button>
            </>
          )}
        </div>
        <Field label={<Trans>Por dia</Trans>} className="w-28">
          <Input
            type="number"
            min={settingBounds.leastDailyCap}
            placeholder={String(line.mostToday)}
            value={daily}
            onChange={(event) => setDaily(event.target.value)}
          />
        </Field>
        <Field label={<Trans>Conversas novas</Trans>} className="w-36">
          <Input
            type="number"
            min={0}
            placeholder={String(line.mostNewToday)}
            value={fresh}
            onChange={(event) => setFresh(event.target.value)}
          />
        </Field>
        <Button type="submit" variant="outline" busy={busy} disabled={offline || !changed}>
          <Trans>Salvar</Trans>
        </Button>
      </form>
    </li>
  )
}
