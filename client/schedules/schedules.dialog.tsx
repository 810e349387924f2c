import { HOUR_MS } from '../../schema/durations.ts'
import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { newId } from '../../schema/ids.ts'
import { scheduleText } from '../../schema/schedules/schedules.inputs.ts'
import { api } from '../session/api.ts'
import { ownFile } from '../session/own-file.ts'
import { useRows } from '../replica/live-rows.ts'
import { usePlanFeature } from '../session/plan.ts'
import { useReplica } from '../replica/replica.tsx'
import { FileField, useOwnFile } from '../kit/file-field.tsx'
import { TemplateField } from '../placeholders/placeholders.field.tsx'
import { toastError } from '../session/failure.tsx'
import { perform } from '../session/perform.ts'
import { useOnline } from '../replica/use-online.ts'
import { dateText } from '../i18n/dates.ts'
import { Dialog, DialogBody, DialogButtons, DialogContent, DialogForm } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { DateInput } from '../ui/date-input.tsx'
import { Switch } from '../ui/switch.tsx'
import { toast } from '../ui/toaster.tsx'
import { ContactPicker } from '../contacts/contacts.picker.tsx'
import type { FoundContact } from '../contacts/contacts.rows.ts'
import { useContactSearch } from '../contacts/contacts.search.ts'
import { scheduleProblems } from './schedules.problems.ts'
import { type Schedule, scheduledFile, scheduleImages, wallTime } from './schedules.rows.ts'

const scheduleFiles = ownFile('/schedules')

/**
 * Has a message sent to a contact at a time, or changes one that waits. Without a network it waits like every command;
 * a picture needs the server at once.
 */
export function ScheduleDialog({
  to,
  schedule,
  whatsappId,
  onClose,
  onSaved,
}: {
  /** For whom, where that is settled. */
  to?: FoundContact
  /** The one that is changed. */
  schedule?: Schedule
  /** The connection it goes over; the company's default where none is named. */
  whatsappId?: number | null
  onClose: () => void
  onSaved?: () => void
}) {
  const { t, i18n } = useLingui()
  const replica = useReplica()
  const online = useOnline()
  const [contact, setContact] = useState<FoundContact | null>(to ?? schedule?.contact ?? null)
  const [query, setQuery] = useState('')
  const { found, searching } = useContactSearch(query)
  const [body, setBody] = useState(schedule?.body ?? '')
  const [sendAt, setSendAt] = useState(() => wallTime(schedule?.sendAt ?? Date.now() + HOUR_MS))
  // A picture follows its message: it may come while the dialog is open.
  const stored = useRows(schedule ? scheduledFile(schedule.id) : null).rows?.[0] ?? schedule
  const file = useOwnFile(stored?.mediaName ?? null)
  const [bulk, setBulk] = useState(schedule?.bulk ?? false)
  const campaigns = usePlanFeature('useCampaigns')
  /** When it was last tried to save it. */
  const [triedAt, setTriedAt] = useState<Date | null>(null)
  const [saving, setSaving] = useState(false)
  // Once a new one is stored, another attempt only repeats the upload that failed.
  const [storedId, setStoredId] = useState<string | null>(null)
  const problemsAt = (now: Date) => scheduleProblems({ body, sendAt, contactId: contact?.id }, now)
  const problems = triedAt === null ? {} : problemsAt(triedAt)

  const store = async (id: string): Promise<boolean> => {
    const input = {
      id,
      contactId: contact!.id,
      body: body.trim(),
      sendAt: new Date(sendAt).toISOString(),
      ...(whatsappId !== undefined && { whatsappId }),
      ...(bulk !== (schedule?.bulk ?? false) && { bulk }),
    }
    const name = schedule || storedId ? 'schedules.update' : 'schedules.create'
    if (!file.chosen && !file.dropped) return (await perform(replica, name, input)) !== null
    // The file's route needs the row, so this one does not go through the outbox.
    await api.post('/commands', { id: newId(), name, input })
    if (!schedule) setStoredId(id)
    await file.save({
      attach: (chosen) => scheduleFiles.attach(id, chosen),
      detach: () => scheduleFiles.detach(id),
    })
    return true
  }
  const save = async () => {
    const now = new Date()
    setTriedAt(now)
    if (Object.keys(problemsAt(now)).length > 0) return
    setSaving(true)
    try {
      if (!(await store(schedule?.id ?? storedId ?? newId()))) return
      const when = dateText(i18n.locale, new Date(sendAt), 'moment')
      toast.success(t`Mensagem agendada para ${when}`)
      onClose()
      onSaved?.()
    } catch (error) {
      toastError(error)
    } finally {
      setSaving(false)
    }
  }

  const cancel = () => {
    // Its picture could not be added, and without it it is not wanted.
    if (storedId) void perform(replica, 'schedules.delete', { id: storedId })
    onClose()
  }

  const name = to?.name
  return (
    <Dialog open onOpenChange={(open) => !open && !saving && cancel()}>
      <DialogContent
        title={schedule ? t`Editar agendamento` : t`Agendar mensagem`}
        description={name && t`Para ${name}`}
        onInteractOutside={(event) => (body !== (schedule?.body ?? '') || file.chosen) && event.preventDefault()}
      >
        <DialogForm onSubmit={() => void save()}>
          <DialogBody className="flex flex-col gap-4">
            {!to && (
              <ContactPicker
                contact={contact}
                onPick={(picked) => typeof picked !== 'string' && setContact(picked)}
                query={query}
                onSearch={setQuery}
                found={found}
                searching={searching}
                autoFocus
                error={problems.contact && t`Obrigatório`}
              />
            )}
            <TemplateField
              label={t`Mensagem`}
              error={problems.body && t`Mensagem muito curta`}
              autoFocus={contact !== null}
              maxRows={8}
              rows={4}
              maxLength={scheduleText.maxLength}
              value={body}
              onChange={setBody}
              contact={contact}
            />
            <Field
              label={t`Enviar em`}
              required
              error={problems.sendAt && (problems.sendAt === 'past' ? t`Este horário já passou` : t`Obrigatório`)}
            >
              <DateInput type="datetime-local" value={sendAt} onChange={setSendAt} />
            </Field>
            {campaigns && (
              <Field label={t`É divulgação`} hint={t`Não é enviada a quem pediu para não receber`} inline>
                <Switch checked={bulk} onCheckedChange={setBulk} />
              </Field>
            )}
            <FileField
              kind="image"
              file={file}
              testId="schedule-file"
              accept=".png,.jpg,.jpeg,image/png,image/jpeg"
              refuse={({ type }) =>
                scheduleImages.includes(type) ? null : t`Só imagens png ou jpg podem ser agendadas`
              }
              disabled={!online}
              fixed={!online}
              beside={
                <span className="text-xs text-muted-foreground">
                  {online ? <Trans>png ou jpg</Trans> : <Trans>Imagens, só com rede.</Trans>}
                </span>
              }
            />
          </DialogBody>
          <DialogButtons busy={saving}>{schedule ? <Trans>Salvar</Trans> : <Trans>Agendar</Trans>}</DialogButtons>
        </DialogForm>
      </DialogContent>
    </Dialog>
  )
}
