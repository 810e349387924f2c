import { Trans, useLingui } from '@lingui/react/macro'
import { History, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { errorText } from '../session/error-text.ts'
import { toastError } from '../session/failure.tsx'
import { dateText } from '../i18n/dates.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogBody, DialogContent } from '../ui/dialog.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Field } from '../ui/field.tsx'
import { DateInput } from '../ui/date-input.tsx'
import { Select } from '../ui/select.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { toast } from '../ui/toaster.tsx'
import { type Delivery, useDeliveries, type Webhook, webhooks } from './webhooks.queries.ts'

type Shown = 'all' | Delivery['state']

/** Each delivery of a webhook with its tries, what was sent and what was answered; and a way to send it again. */
export function WebhookLog({ webhook, offline, onClose }: { webhook: Webhook; offline: boolean; onClose: () => void }) {
  const { t } = useLingui()
  const [shown, setShown] = useState<Shown>('all')
  const [cursors, setCursors] = useState<string[]>([])
  const cursor = cursors.at(-1)
  const page = useDeliveries(webhook.id, {
    ...(shown !== 'all' && { state: shown }),
    ...(cursor && { cursor }),
    limit: 20,
  })
  const { data, error } = page
  return (
    <Dialog open onOpenChange={onClose}>
      <DialogContent title={t`Entregas`} description={webhook.url} size="xl">
        <DialogBody className="flex flex-col gap-4">
          <div className="flex flex-wrap items-end gap-3">
            <Field label={<Trans>Mostrar</Trans>} className="w-44">
              <Select<Shown>
                value={shown}
                onChange={(value) => {
                  setShown(value)
                  setCursors([])
                }}
                options={[
                  { value: 'all', label: t`Todas` },
                  { value: 'waiting', label: t`À espera` },
                  { value: 'delivered', label: t({ message: 'Entregues', context: 'entregas de um webhook' }) },
                  { value: 'failed', label: t`Abandonadas` },
                ]}
              />
            </Field>
            <Replay webhookId={webhook.id} disabled={offline} onDone={page.reload} />
          </div>
          {error && !data ? (
            <ErrorState onRetry={page.reload}>{errorText(error)}</ErrorState>
          ) : !data ? (
            <Skeleton className="h-40" />
          ) : data.records.length === 0 ? (
            <EmptyState icon={History} title={<Trans>Nenhuma entrega</Trans>}>
              <Trans>O que acontecer daqui em diante aparece aqui, por 30 dias.</Trans>
            </EmptyState>
          ) : (
            <ul className="flex flex-col divide-y rounded-lg border" aria-label={t`Entregas`}>
              {data.records.map((delivery) => (
                <li key={delivery.id}>
                  <DeliveryLine webhookId={webhook.id} delivery={delivery} disabled={offline} onDone={page.reload} />
                </li>
              ))}
            </ul>
          )}
          <div className="flex justify-between">
            <Button variant="outline" disabled={cursors.length === 0} onClick={() => setCursors(cursors.slice(0, -1))}>
              <Trans>Mais novas</Trans>
            </Button>
            <Button
              variant="outline"
              disabled={!data?.nextCursor}
              onClick={() => data?.nextCursor && setCursors([...cursors, data.nextCursor])}
            >
              <Trans>Mais antigas</Trans>
            </Button>
          </div>
        </DialogBody>
      </DialogContent>
    </Dialog>
  )
}

function DeliveryLine({
  webhookId,
  delivery,
  disabled,
  onDone,
}: {
  webhookId: number
  delivery: Delivery
  disabled: boolean
  onDone: () => void
}) {
  const { t, i18n } = useLingui()
  const [busy, setBusy] = useState(false)
  const at = (text: string) => dateText(i18n.locale, new Date(text), 'dayMonth', 'clock')
  const { state, type, attempts, nextAt } = delivery
  const again = async () => {
    setBusy(true)
    try {
      await webhooks.replayOne(webhookId, delivery.id)
      onDone()
    } catch (error) {
      toastError(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <details className="group">
      <summary className="focus-ring flex cursor-pointer flex-wrap items-center gap-x-3 gap-y-1 rounded-lg px-3 py-2 text-sm select-none">
        <Badge tone={state === 'delivered' ? 'success' : state === 'failed' ? 'destructive' : 'warning'}>
          {state === 'delivered' ? (
            <Trans>Entregue</Trans>
          ) : state === 'failed' ? (
            <Trans>Abandonada</Trans>
          ) : (
            <Trans>À espera</Trans>
          )}
        </Badge>
        <code className="font-medium">{type}</code>
        <span className="text-muted-foreground tabular-nums">{at(delivery.createdAt)}</span>
        {attempts.length > 0 && (
          <span className="text-muted-foreground tabular-nums">
            {attempts.at(-1)!.status ?? attempts.at(-1)!.answer} · {attempts.at(-1)!.ms} ms
          </span>
        )}
      </summary>
      <div className="flex flex-col gap-3 px-3 pb-3 text-sm">
        <p className="font-mono text-xs break-all text-muted-foreground">webhook-id: {delivery.eventId}</p>
        {attempts.length > 0 && (
          <ol className="flex flex-col gap-1" aria-label={t`Tentativas`}>
            {attempts.map((attempt, i) => (
              <li key={i} className="text-xs tabular-nums">
                {at(attempt.at)} · {attempt.status ?? '—'} · {attempt.ms} ms
                {attempt.answer && <code className="ml-2 break-all text-muted-foreground">{attempt.answer}</code>}
              </li>
            ))}
          </ol>
        )}
        {state === 'waiting' && nextAt && (
          <p className="text-xs text-muted-foreground">
            <Trans>Próxima tentativa: {at(nextAt)}</Trans>
          </p>
        )}
        <pre className="max-h-64 overflow-auto rounded-md bg-muted px-3 py-2 font-mono text-xs" tabIndex={0}>
          {pretty(delivery.payload)}
        </pre>
        <Button
          variant="outline"
          size="sm"
          className="self-start"
          busy={busy}
          disabled={disabled}
          onClick={() => void again()}
        >
          <RotateCcw />
          <Trans>Enviar de novo</Trans>
        </Button>
      </div>
    </details>
  )
}

function pretty(payload: string): string {
  try {
    return JSON.stringify(JSON.parse(payload), null, 2)
  } catch {
    return payload
  }
}

/** Sends everything of a span of time again. */
function Replay({ webhookId, disabled, onDone }: { webhookId: number; disabled: boolean; onDone: () => void }) {
  const { t } = useLingui()
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const [busy, setBusy] = useState(false)
  const run = async () => {
    setBusy(true)
    try {
      const { replayed } = await webhooks.replay(webhookId, new Date(from).toISOString(), new Date(to).toISOString())
      toast.success(t`Entregas enviadas de novo: ${replayed}`)
      onDone()
    } catch (error) {
      toastError(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="flex flex-wrap items-end gap-3">
      <Field label={<Trans>De</Trans>}>
        <DateInput type="datetime-local" time="00:00" value={from} onChange={setFrom} />
      </Field>
      <Field label={<Trans>Até</Trans>}>
        <DateInput type="datetime-local" time="23:59" value={to} onChange={setTo} />
      </Field>
      <Button variant="outline" disabled={disabled || !from || !to} busy={busy} onClick={() => void run()}>
        <RotateCcw />
        <Trans>Enviar o período de novo</Trans>
      </Button>
    </div>
  )
}
