import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { isTimeZone } from '../../schema/wall.ts'
import { snoozeNote } from '../../schema/tickets/tickets.inputs.ts'
import { isSnoozable, waitsForAnswer } from '../../schema/tickets/tickets.snooze.ts'
import { type SnoozeChoice, snoozeChoices, snoozedUntil } from '../../schema/tickets/tickets.snooze-choices.ts'
import { wallTime } from '../schedules/schedules.rows.ts'
import { useUser } from '../session/session.tsx'
import { useTicketActions } from '../tickets/tickets.use-actions.tsx'
import type { TicketRow } from '../tickets/tickets.rows.ts'
import { untilText } from '../tickets/tickets.until.ts'
import { useContactName } from '../tickets/tickets.words.ts'
import { Checkbox } from '../ui/checkbox.tsx'
import { DateInput } from '../ui/date-input.tsx'
import { Dialog, DialogBody, DialogButtons, DialogContent, DialogForm } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Select } from '../ui/select.tsx'
import { Textarea } from '../ui/textarea.tsx'

type Choice = SnoozeChoice | 'other'

/** Puts a ticket aside. */
export default function SnoozeDialog({ ticket, onClose }: { ticket: TicketRow; onClose: () => void }) {
  const { t } = useLingui()
  const actions = useTicketActions()
  const name = useContactName()(ticket)
  return (
    <SnoozeForm
      title={t`Adiar o atendimento de ${name}`}
      reminder={ticket.snoozeNote ?? ''}
      onClose={onClose}
      onSubmit={(until, more) => {
        onClose()
        void actions.snooze(ticket, until, more)
      }}
    />
  )
}

/** Until when something is put aside: one of the usual times, another one, or until the contact answers. */
export function SnoozeForm({
  title,
  description,
  reminder = '',
  onClose,
  onSubmit,
}: {
  title: string
  description?: string | undefined
  /** As it was last. */
  reminder?: string
  onClose: () => void
  /** @param until ISO; null: until the contact answers */
  onSubmit: (until: string | null, more: { keep?: boolean; note?: string }) => void
}) {
  const { t, i18n } = useLingui()
  const { timeZone } = useUser().company
  const zone = timeZone && isTimeZone(timeZone) ? timeZone : Intl.DateTimeFormat().resolvedOptions().timeZone
  const [now] = useState(() => new Date())
  const [choice, setChoice] = useState<Choice>('tomorrow')
  const [other, setOther] = useState(() => wallTime(snoozedUntil('tomorrow', now, zone).getTime()))
  const [note, setNote] = useState(reminder)
  const [keep, setKeep] = useState(false)
  const [wrong, setWrong] = useState(false)
  const labels: Record<Choice, string> = {
    hour: t`Daqui a 1 hora`,
    threeHours: t`Daqui a 3 horas`,
    tomorrow: t`Amanhã de manhã`,
    monday: t`Segunda-feira de manhã`,
    answer: t`Até o contato responder`,
    other: t`Outra data e hora`,
  }
  const hintOf = (one: Choice) => {
    if (one === 'other') return ''
    const at = snoozedUntil(one, now, zone)
    return waitsForAnswer(at) ? '' : untilText(at.getTime(), now.getTime(), i18n.locale)
  }
  const submit = () => {
    const at = choice === 'other' ? new Date(other) : snoozedUntil(choice, new Date(), zone)
    if (Number.isNaN(at.getTime()) || !isSnoozable(at, new Date())) return setWrong(true)
    onSubmit(choice === 'answer' ? null : at.toISOString(), {
      ...(note.trim() && { note: note.trim() }),
      ...(keep && choice !== 'answer' && { keep: true }),
    })
  }
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent title={title} description={description} size="sm">
        <DialogForm onSubmit={submit}>
          <DialogBody className="flex flex-col gap-4">
            <Field label={t`Até quando`}>
              <Select
                autoFocus
                value={choice}
                onChange={(next) => setChoice(next as Choice)}
                options={[...snoozeChoices, 'other' as const].map((one) => ({
                  value: one,
                  label: (
                    <span className="flex gap-2">
                      {labels[one]}
                      <span className="text-muted-foreground tabular-nums">{hintOf(one)}</span>
                    </span>
                  ),
                }))}
              />
            </Field>
            {choice === 'other' && (
              <Field
                label={t`Data e hora`}
                required
                error={wrong && t`Escolha um momento que ainda vem, até um ano à frente`}
              >
                <DateInput
                  type="datetime-local"
                  value={other}
                  onChange={(next) => {
                    setOther(next)
                    setWrong(false)
                  }}
                />
              </Field>
            )}
            <Field label={t`Lembrete (opcional)`} hint={t`Aparece quando o atendimento voltar. O contato não vê.`}>
              <Textarea
                value={note}
                maxRows={4}
                maxLength={snoozeNote.maxLength}
                onChange={(event) => setNote(event.target.value)}
              />
            </Field>
            {choice !== 'answer' && (
              <label className="flex items-start gap-2 text-sm">
                <Checkbox className="mt-0.5" checked={keep} onCheckedChange={(next) => setKeep(next === true)} />
                <Trans>Manter adiado mesmo que o contato escreva</Trans>
              </label>
            )}
          </DialogBody>
          <DialogButtons>
            <Trans>Adiar</Trans>
          </DialogButtons>
        </DialogForm>
      </DialogContent>
    </Dialog>
  )
}
