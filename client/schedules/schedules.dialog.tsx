import { HOUR_MS } from '../../schema/durations.ts'
import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { newId } from '../../schema/ids.ts'
import { scheduleText } from '../../schema/schedules/schedules.inputs.ts'
import { fileKindOf, missingValues, type TemplateValues } from '../../schema/templates/templates.parts.ts'
import { offersOf } from '../../schema/whatsapps/whatsapps.providers.ts'
import { useWindowEnd } from '../messages/messages.use-window.ts'
import { useVariableNames } from '../placeholders/placeholders.text.tsx'
import { useSampleFill } from '../placeholders/placeholders.values.ts'
import { type ConnectionRow, useConnections } from '../replica/directory.ts'
import { lacksFile, TemplateChoice } from '../templates/templates.choice.tsx'
import { isSendable, type TemplateRow, useTemplates } from '../templates/templates.rows.ts'
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
import { isClosedAt, scheduleProblems } from './schedules.problems.ts'
import { type Schedule, scheduledFile, scheduleImages, wallTime } from './schedules.rows.ts'

const scheduleVariables = ['firstName', 'name', 'ms', 'protocol', 'hora', 'user', 'company'] as const

/** The connection that it will go over, as far as that is known here: its own, else the company's default. */
function useConnectionOf(whatsappId: number | null | undefined): ConnectionRow | undefined {
  const { list, byId } = useConnections()
  return whatsappId == null ? list.find(({ isDefault }) => isDefault) : byId.get(whatsappId)
}

/** The template that a schedule is said by, on connections that have some. */
function useScheduleTemplate(schedule: Schedule | undefined, line: ConnectionRow | undefined) {
  const isOffered = line !== undefined && offersOf(line.provider).templates
  const all = useTemplates(isOffered ? line.id : null)
  const [id, setId] = useState(schedule?.templateId ?? null)
  const [values, setValues] = useState<TemplateValues>(schedule?.templateValues ?? {})
  /** Undefined until somebody has said so. */
  const [isWanted, setWanted] = useState<boolean | undefined>(schedule ? schedule.templateId !== null : undefined)
  const chosen = all?.find((template) => template.id === id)
  return {
    ...{ isOffered, chosen, values, setValues, isWanted, setWanted },
    offered: all?.filter((template) => template.id === id || isSendable(template)) ?? [],
    missing: chosen ? missingValues(chosen.parts, values).map(({ key }) => key) : [],
    choose: (template: TemplateRow | undefined) => {
      setId(template?.id ?? null)
      setValues({})
    },
  }
}

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
  const line = useConnectionOf(whatsappId === undefined ? schedule?.whatsappId : whatsappId)
  const said = useScheduleTemplate(schedule, line)
  const windowEnd = useWindowEnd(contact?.id, line?.id)
  const isClosed = isClosedAt(windowEnd, new Date(sendAt))
  const byTemplate = said.isOffered && (said.isWanted ?? isClosed)
  const campaigns = usePlanFeature('useCampaigns')
  /** When it was last tried to save it. */
  const [triedAt, setTriedAt] = useState<Date | null>(null)
  const [saving, setSaving] = useState(false)
  // Once a new one is stored, another attempt only repeats the upload that failed.
  const [storedId, setStoredId] = useState<string | null>(null)
  const problemsAt = (now: Date) => {
    const lacking = said.chosen && lacksFile(said.chosen.parts, file) ? ['header'] : []
    const template = byTemplate
      ? { isChosen: said.chosen !== undefined, missing: [...said.missing, ...lacking] }
      : undefined
    return scheduleProblems({ body, sendAt, contactId: contact?.id, template, windowEnd }, now)
  }
  const problems = triedAt === null ? {} : problemsAt(triedAt)

  const store = async (id: string): Promise<boolean> => {
    const input = {
      id,
      contactId: contact!.id,
      ...(byTemplate
        ? { templateId: said.chosen!.id, templateValues: said.values }
        : { body: body.trim(), ...(schedule?.templateId != null && { templateId: null }) }),
      sendAt: new Date(sendAt).toISOString(),
      ...(whatsappId !== undefined && { whatsappId }),
      ...(bulk !== (schedule?.bulk ?? false) && { bulk }),
    }
    const name = schedule || storedId ? 'schedules.update' : 'schedules.create'
    // A picture beside a text is no header, and a template without one brings none.
    const hasFile = said.chosen && byTemplate ? fileKindOf(said.chosen.parts) !== null : !byTemplate
    const drops = !hasFile && stored?.mediaName != null
    if (!drops && (!hasFile || (!file.chosen && !file.dropped))) return (await perform(replica, name, input)) !== null
    // The file's route needs the row, so this one does not go through the outbox.
    await api.post('/commands', { id: newId(), name, input })
    if (!schedule) setStoredId(id)
    if (drops) await scheduleFiles.detach(id)
    else
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
  const fill = useSampleFill(contact)
  const variableNames = useVariableNames()
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
            {said.isOffered && (
              <Field
                label={t`Por um modelo de mensagem`}
                hint={
                  isClosed
                    ? t`Nesta hora terá passado o prazo de 24 horas desde a última mensagem do contato: só um modelo pode ser enviado`
                    : t`Depois de 24 horas sem mensagem do contato, só um modelo pode ser enviado por esta conexão`
                }
                inline
              >
                <Switch checked={byTemplate} onCheckedChange={said.setWanted} />
              </Field>
            )}
            {byTemplate ? (
              <TemplateChoice
                templates={said.offered}
                chosen={said.chosen}
                values={said.values}
                onChoose={said.choose}
                onValues={said.setValues}
                shown={fill}
                insertable={{
                  label: t`Preenchida no envio`,
                  names: scheduleVariables.map((key) => [`{{${key}}}`, variableNames[key]] as const),
                }}
                error={problems.template === 'required' ? t`Obrigatório` : undefined}
                missing={problems.template ? said.missing : []}
                file={file}
                isTried={triedAt !== null}
                isFixed={!online}
              />
            ) : (
              <TemplateField
                label={t`Mensagem`}
                error={
                  problems.body &&
                  (problems.body === 'short' ? t`Mensagem muito curta` : t`Nesta hora só um modelo pode ser enviado`)
                }
                autoFocus={contact !== null}
                maxRows={8}
                rows={4}
                maxLength={scheduleText.maxLength}
                value={body}
                onChange={setBody}
                contact={contact}
              />
            )}
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
            {!byTemplate && (
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
            )}
          </DialogBody>
          <DialogButtons busy={saving}>{schedule ? <Trans>Salvar</Trans> : <Trans>Agendar</Trans>}</DialogButtons>
        </DialogForm>
      </DialogContent>
    </Dialog>
  )
}
