import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { slaMetrics } from '../../schema/sla-policies/sla.metrics.ts'
import { dateText } from '../i18n/dates.ts'
import { useQueues } from '../replica/directory.ts'
import { errorText } from '../session/error-text.ts'
import { Button } from '../ui/button.tsx'
import { DateInput } from '../ui/date-input.tsx'
import { Dialog, DialogBody, DialogContent, DialogFooter } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Select } from '../ui/select.tsx'
import { type DueAts, type SlaPolicyRow, slaPolicies } from './sla-policies.queries.ts'
import { useSlaWords } from './sla-policies.words.ts'

/** A moment on this machine's clock, as the field has it. */
const typed = (at: Date) => new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)

/** When the promises of a policy would be broken for a service that begins then. Nothing is written by asking. */
export function SlaTestDialog({ policy, onClose }: { policy: SlaPolicyRow; onClose: () => void }) {
  const { t, i18n } = useLingui()
  const { metrics } = useSlaWords()
  const queues = useQueues()
  const [at, setAt] = useState(() => typed(new Date()))
  const [queueId, setQueueId] = useState<string>(String(policy.queueIds[0] ?? ''))
  const [answer, setAnswer] = useState<{ dueAts: DueAts } | { error: unknown }>()
  const [busy, setBusy] = useState(false)
  const ask = async () => {
    setBusy(true)
    try {
      setAnswer(await slaPolicies.test(policy.id, new Date(at).toISOString(), Number(queueId) || null))
    } catch (error) {
      setAnswer({ error })
    }
    setBusy(false)
  }
  const when = (due: string | null) => (due === null ? t`Sem prazo` : dateText(i18n.locale, new Date(due), 'moment'))
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent title={t`Testar ${policy.name}`} description={t`Nada é gravado.`}>
        <DialogBody className="flex flex-col gap-4">
          <Field label={<Trans>O contato escreve em</Trans>}>
            <DateInput type="datetime-local" value={at} onChange={setAt} />
          </Field>
          {policy.calendar === 'queue' && (
            <Field label={<Trans>Na fila</Trans>}>
              <Select
                value={queueId || undefined}
                onChange={setQueueId}
                options={queues.list.map(({ id, name }) => ({ value: String(id), label: name }))}
              />
            </Field>
          )}
          <div aria-live="polite">
            {answer &&
              ('error' in answer ? (
                <p className="text-sm text-destructive">{errorText(answer.error)}</p>
              ) : (
                <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-2 text-sm">
                  {slaMetrics.map((metric) => (
                    <div key={metric} className="contents">
                      <dt className="text-muted-foreground">{metrics[metric]}</dt>
                      <dd className="font-medium tabular-nums">{when(answer.dueAts[metric])}</dd>
                    </div>
                  ))}
                </dl>
              ))}
          </div>
        </DialogBody>
        <DialogFooter>
          <Button variant="outline" onClick={onClose}>
            <Trans>Fechar</Trans>
          </Button>
          <Button disabled={busy || at === ''} onClick={() => void ask()}>
            <Trans>Calcular</Trans>
          </Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  )
}
