import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { Leaving } from '../../schema/queues/queues.table.ts'
import { HOUR_MS, MINUTE_MS } from '../../schema/durations.ts'
import { useQueues } from '../replica/directory.ts'
import { useRows } from '../replica/live-rows.ts'
import { useReplica } from '../replica/replica.tsx'
import { whenText } from '../session/moment-text.ts'
import { perform } from '../session/perform.ts'
import { usePrincipal } from '../session/session.tsx'
import { DateInput } from '../ui/date-input.tsx'
import { Dialog, DialogBody, DialogButtons, DialogContent, DialogForm } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Select } from '../ui/select.tsx'
import { toast } from '../ui/toaster.tsx'
import { openOf } from './away.rows.ts'

const spans = { minutes15: 15 * MINUTE_MS, minutes30: 30 * MINUTE_MS, hour: HOUR_MS, hours2: 2 * HOUR_MS }
type Return = keyof typeof spans | 'tomorrow' | 'at' | 'open'

/** Says that one takes no conversations for a while, or that a colleague does, and shows what becomes of those they have. */
export default function AwayDialog({
  colleague,
  onClose,
}: {
  /** Missing: oneself. */
  colleague?: { id: number; name: string }
  onClose: () => void
}) {
  const { t } = useLingui()
  const replica = useReplica()
  const { userId } = usePrincipal()
  const name = colleague?.name
  const [back, setBack] = useState<Return>('minutes30')
  const [at, setAt] = useState('')
  const [missing, setMissing] = useState<string | null>(null)
  const momentOf = (): number | null => {
    if (back === 'open') return null
    if (back === 'at') return new Date(at).getTime()
    if (back !== 'tomorrow') return Date.now() + spans[back]
    const morning = new Date()
    morning.setDate(morning.getDate() + 1)
    return morning.setHours(8, 0, 0, 0)
  }
  const submit = async () => {
    const until = momentOf()
    if (until !== null && !(until > Date.now())) return setMissing(t`Escolha um momento que ainda virá`)
    const of = colleague && { userId: colleague.id }
    if (!(await perform(replica, 'users.setAway', { ...of, away: true, until }))) return
    onClose()
    if (colleague) return toast.success(t`${colleague.name} está ausente`)
    if (until === null) return toast.success(t`Você está ausente até voltar a atender`)
    const when = whenText(new Date(until))
    toast.success(t`Você está ausente; a volta é ${when}`)
  }
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent title={name === undefined ? t`Ausentar-se` : t`Marcar ${name} como ausente`} size="sm">
        <DialogForm onSubmit={() => void submit()}>
          <DialogBody className="flex flex-col gap-4">
            <Field
              label={name === undefined ? t`Volto` : t`Volta`}
              hint={
                name === undefined
                  ? t`Até lá, as filas não lhe entregam atendimentos.`
                  : t`Até lá, as filas não entregam atendimentos a ${name}.`
              }
            >
              <Select<Return>
                autoFocus
                value={back}
                onChange={setBack}
                options={[
                  { value: 'minutes15', label: t`em 15 minutos` },
                  { value: 'minutes30', label: t`em 30 minutos` },
                  { value: 'hour', label: t`em 1 hora` },
                  { value: 'hours2', label: t`em 2 horas` },
                  { value: 'tomorrow', label: t`amanhã às 8 horas` },
                  { value: 'at', label: t`em outro momento…` },
                  { value: 'open', label: name === undefined ? t`quando eu disser` : t`quando alguém disser` },
                ]}
              />
            </Field>
            {back === 'at' && (
              <Field label={t`Dia e hora da volta`} required error={missing}>
                <DateInput
                  type="datetime-local"
                  value={at}
                  onChange={(value) => {
                    setMissing(null)
                    setAt(value)
                  }}
                />
              </Field>
            )}
            <WhatIsLeft userId={colleague?.id ?? userId} name={name} />
          </DialogBody>
          <DialogButtons>
            {name === undefined ? <Trans>Ausentar-se</Trans> : <Trans>Marcar como ausente</Trans>}
          </DialogButtons>
        </DialogForm>
      </DialogContent>
    </Dialog>
  )
}

/** What becomes of one's tickets, queue by queue; those that stay with one stand together. `name` is a colleague's. */
function WhatIsLeft({ userId, name: whose }: { userId: number; name: string | undefined }) {
  const { rows } = useRows(openOf(userId))
  const { byId, isKnown } = useQueues()
  if (!rows || !isKnown) return null
  const left = rows.map(({ queueId, count }) => {
    const queue = queueId === null ? undefined : byId.get(queueId)
    // Where all take their tickets by themselves, nobody is looked for.
    const isNobodys = queue === undefined || (queue.assignment === 'manual' && queue.whenAway === 'others')
    const becomes: Leaving = isNobodys ? 'keep' : queue.whenAway
    return { name: queue?.name ?? '', count, becomes }
  })
  const kept = left.filter(({ becomes }) => becomes === 'keep').reduce((sum, { count }) => sum + count, 0)
  const moved = left.filter(({ becomes }) => becomes !== 'keep')
  if (kept === 0 && moved.length === 0) return null
  return (
    <section className="flex flex-col gap-1.5 rounded-lg bg-muted px-3 py-2.5 text-sm">
      <h3 className="font-medium">
        {whose === undefined ? <Trans>Os seus atendimentos</Trans> : <Trans>Atendimentos de {whose}</Trans>}
      </h3>
      <ul className="flex flex-col gap-1 text-muted-foreground">
        {moved.map(({ name, count, becomes }) => (
          <li key={name} className="wrap-anywhere">
            <span className="text-foreground">{name}</span>:{' '}
            {becomes === 'queue' ? (
              <Plural value={count} one="# volta para a fila" other="# voltam para a fila" />
            ) : (
              <Plural
                value={count}
                one="# passa para quem puder atender, ou fica"
                other="# passam para quem puder atender, ou ficam"
              />
            )}
          </li>
        ))}
        {kept > 0 && (
          <li>
            {whose === undefined ? (
              <Plural value={kept} one="# atendimento fica com você" other="# atendimentos ficam com você" />
            ) : (
              <Plural
                value={kept}
                one={`# atendimento fica com ${whose}`}
                other={`# atendimentos ficam com ${whose}`}
              />
            )}
          </li>
        )}
      </ul>
    </section>
  )
}
