import { Trans, useLingui } from '@lingui/react/macro'
import { Download, X } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import { erasedKinds } from '../../schema/privacy/privacy.kinds.ts'
import { dateText } from '../i18n/dates.ts'
import { saveBlob } from '../kit/media.ts'
import { errorText } from '../session/error-text.ts'
import { toastError } from '../session/failure.tsx'
import { useConnectionState } from '../session/connection-state.ts'
import { NeedsNetwork } from '../kit/form.tsx'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { DateInput } from '../ui/date-input.tsx'
import { Dialog, DialogBody, DialogContent } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { Notice } from '../ui/notice.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Tabs, TabsContent, TabsList, TabsTrigger } from '../ui/tabs.tsx'
import { toast } from '../ui/toaster.tsx'
import { type ExportRow, privacy, useExports, useHold } from './privacy.queries.ts'
import { usePrivacyWords } from './privacy.words.ts'

interface Of {
  id: number
  name: string
}

/** What the law gives a contact: their data in a file, held, or erased. */
export default function PrivacyDialog({
  contact,
  onClose,
  onErased,
}: {
  contact: Of
  onClose: () => void
  onErased: () => void
}) {
  const { t } = useLingui()
  const offline = useConnectionState() === 'offline'
  const { name } = contact
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent title={t`Privacidade de ${name}`}>
        <DialogBody>
          {offline && <NeedsNetwork />}
          <Tabs defaultValue="export" className="flex flex-col gap-4">
            <TabsList aria-label={t`O que fazer com os dados`}>
              <TabsTrigger value="export">
                <Trans>Exportar</Trans>
              </TabsTrigger>
              <TabsTrigger value="hold">
                <Trans>Reter</Trans>
              </TabsTrigger>
              <TabsTrigger value="erase">
                <Trans>Apagar</Trans>
              </TabsTrigger>
            </TabsList>
            <TabsContent value="export">
              <Export contact={contact} disabled={offline} />
            </TabsContent>
            <TabsContent value="hold">
              <Holding contact={contact} disabled={offline} />
            </TabsContent>
            <TabsContent value="erase">
              <Erase
                contact={contact}
                disabled={offline}
                onErased={() => {
                  onErased()
                  onClose()
                }}
              />
            </TabsContent>
          </Tabs>
        </DialogBody>
      </DialogContent>
    </Dialog>
  )
}

function Export({ contact, disabled }: { contact: Of; disabled: boolean }) {
  const list = useExports(contact.id)
  const [notes, setNotes] = useState(false)
  const [busy, setBusy] = useState(false)
  const id = useId()
  const begin = async () => {
    setBusy(true)
    await privacy.export(contact.id, notes).catch(toastError)
    list.reload()
    setBusy(false)
  }
  return (
    <div className="flex flex-col gap-4">
      <p className="text-sm text-muted-foreground">
        <Trans>
          Um arquivo ZIP com os dados, os atendimentos, as mensagens e os arquivos. Só você pode baixá-lo, por sete
          dias.
        </Trans>
      </p>
      <label htmlFor={id} className="flex items-center gap-2 text-sm">
        <Checkbox id={id} checked={notes} onCheckedChange={(is) => setNotes(is === true)} />
        <Trans>Incluir as observações da equipe</Trans>
      </label>
      <Button className="self-start" disabled={disabled} busy={busy} onClick={() => void begin()}>
        <Trans>Reunir os dados</Trans>
      </Button>
      {(list.data?.records.length ?? 0) > 0 && (
        <ul className="flex flex-col divide-y border-t">
          {list.data!.records.map((row) => (
            <ExportLine key={row.id} row={row} disabled={disabled} onChanged={list.reload} />
          ))}
        </ul>
      )}
    </div>
  )
}

function ExportLine({ row, disabled, onChanged }: { row: ExportRow; disabled: boolean; onChanged: () => void }) {
  const { t, i18n } = useLingui()
  const { exports } = usePrivacyWords()
  const [busy, setBusy] = useState(false)
  const going = row.state === 'waiting' || row.state === 'running'
  const percent = row.total === 0 ? null : Math.min(100, Math.round((row.done / row.total) * 100))
  const until = row.expiresAt ? dateText(i18n.locale, new Date(row.expiresAt), 'date') : ''
  const save = async () => {
    setBusy(true)
    await privacy
      .file(row.url!)
      .then((blob) => saveBlob(blob, `${t`contato`}-${row.contactId}.zip`))
      .catch(toastError)
    setBusy(false)
  }
  return (
    <li className="flex items-center gap-3 py-2.5 text-sm">
      <div className="flex min-w-0 flex-1 flex-col gap-0.5">
        <span>{dateText(i18n.locale, new Date(row.createdAt), 'date', 'time')}</span>
        <span className="text-xs text-muted-foreground" role={going ? 'status' : undefined}>
          {exports[row.state]}
          {row.state === 'running' && percent !== null && ` · ${percent}%`}
          {row.url && (
            <>
              {' · '}
              <Trans>até {until}</Trans>
            </>
          )}
        </span>
      </div>
      {going && (
        <Button
          variant="ghost"
          size="icon"
          aria-label={t`Cancelar`}
          disabled={disabled}
          onClick={() => void privacy.cancelExport(row.id).catch(toastError).then(onChanged)}
        >
          <X />
        </Button>
      )}
      {row.url && (
        <Button variant="outline" size="sm" disabled={disabled} busy={busy} onClick={() => void save()}>
          <Download />
          <Trans>Baixar</Trans>
        </Button>
      )}
    </li>
  )
}

function Holding({ contact, disabled }: { contact: Of; disabled: boolean }) {
  const { t, i18n } = useLingui()
  const hold = useHold(contact.id)
  const [until, setUntil] = useState('')
  const [reason, setReason] = useState('')
  const [error, setError] = useState<unknown>(null)
  const save = async (day: string | null) => {
    setError(null)
    try {
      await privacy.hold(contact.id, day, day === null ? undefined : reason)
      toast.success(day === null ? t`Os dados não estão mais retidos` : t`Dados retidos`)
      hold.reload()
    } catch (failure) {
      setError(failure)
    }
  }
  if (!hold.data) return <Skeleton className="h-24" />
  if (hold.data.until !== null) {
    const day = dateText(i18n.locale, new Date(`${hold.data.until}T12:00:00`), 'fullDate')
    return (
      <div className="flex flex-col gap-4">
        <p className="text-sm">
          <Trans>Os dados estão retidos até {day}, e até lá ninguém os apaga.</Trans>
        </p>
        <p className="rounded-md bg-muted px-3 py-2 text-sm wrap-anywhere">{hold.data.reason}</p>
        <Button variant="outline" className="self-start" disabled={disabled} onClick={() => void save(null)}>
          <Trans>Deixar de reter</Trans>
        </Button>
      </div>
    )
  }
  return (
    <div className="flex flex-col gap-4">
      <p className="text-sm text-muted-foreground">
        <Trans>
          Quando um processo ou uma cobrança precisa dos dados. Até o dia escolhido ninguém os apaga, nem o prazo.
        </Trans>
      </p>
      <Field label={<Trans>Até o dia</Trans>} required>
        <DateInput value={until} onChange={setUntil} />
      </Field>
      <Field label={<Trans>Motivo</Trans>} required hint={<Trans>Sem o nome da pessoa</Trans>}>
        <Input value={reason} onChange={(event) => setReason(event.target.value)} />
      </Field>
      {error !== null && (
        <p role="alert" className="text-sm text-destructive">
          {errorText(error)}
        </p>
      )}
      <Button
        className="self-start"
        disabled={disabled || until === '' || reason.trim().length < 3}
        onClick={() => void save(until)}
      >
        <Trans>Reter os dados</Trans>
      </Button>
    </div>
  )
}

type Preview = Awaited<ReturnType<typeof privacy.preview>>

function Erase({ contact, disabled, onErased }: { contact: Of; disabled: boolean; onErased: () => void }) {
  const { t, i18n } = useLingui()
  const { kinds } = usePrivacyWords()
  const [preview, setPreview] = useState<Preview | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [confirm, setConfirm] = useState('')
  const [reason, setReason] = useState('')
  const [busy, setBusy] = useState(false)
  useEffect(() => {
    let left = false
    privacy.preview(contact.id).then(
      (answer) => !left && setPreview(answer),
      (failure: unknown) => !left && setError(failure),
    )
    return () => {
      left = true
    }
  }, [contact.id])
  const erase = async () => {
    setBusy(true)
    setError(null)
    try {
      await privacy.erase(contact.id, confirm, reason)
      toast.success(t`Os dados estão sendo apagados. A prova fica em Privacidade.`)
      onErased()
    } catch (failure) {
      setError(failure)
      setBusy(false)
    }
  }
  const { name } = contact
  if (!preview && error === null) return <Skeleton className="h-40" />
  if (preview?.hold) {
    const day = dateText(i18n.locale, new Date(`${preview.hold.until}T12:00:00`), 'fullDate')
    return (
      <Notice>
        <Trans>Os dados estão retidos até {day}. Antes disso não podem ser apagados.</Trans>
      </Notice>
    )
  }
  const isMeant = confirm.trim().toLowerCase() === name.trim().toLowerCase() && reason.trim().length >= 3
  return (
    <div className="flex flex-col gap-4">
      {preview && (
        <div className="rounded-lg border">
          <h3 className="px-3.5 pt-3 text-sm font-medium">
            <Trans>O que será apagado</Trans>
          </h3>
          <dl className="divide-y px-3.5 py-1 text-sm">
            {erasedKinds
              .filter((kind) => (preview.counts[kind] ?? 0) > 0)
              .map((kind) => (
                <div key={kind} className="flex justify-between gap-4 py-1.5">
                  <dt className="text-muted-foreground">{kinds[kind]}</dt>
                  <dd className="font-medium tabular-nums">{preview.counts[kind]!.toLocaleString(i18n.locale)}</dd>
                </div>
              ))}
            <div className="flex justify-between gap-4 py-1.5">
              <dt className="text-muted-foreground">
                <Trans>Nome, número e campos do contato</Trans>
              </dt>
              <dd className="font-medium tabular-nums">1</dd>
            </div>
          </dl>
        </div>
      )}
      <Notice>
        <Trans>
          Não há como desfazer. Os relatórios continuam a contar os atendimentos, sem dizer de quem eram. Faturas e a
          auditoria ficam, como a lei pede.
        </Trans>
      </Notice>
      <Field label={<Trans>Motivo</Trans>} required hint={<Trans>Fica na prova. Sem o nome da pessoa</Trans>}>
        <Input value={reason} onChange={(event) => setReason(event.target.value)} />
      </Field>
      <Field label={t`Escreva “${name}” para confirmar`} required>
        <Input autoComplete="off" value={confirm} onChange={(event) => setConfirm(event.target.value)} />
      </Field>
      {error !== null && (
        <p role="alert" className="text-sm text-destructive">
          {errorText(error)}
        </p>
      )}
      <Button
        variant="destructive"
        className="self-start"
        disabled={disabled || !isMeant}
        busy={busy}
        onClick={() => void erase()}
      >
        <Trans>Apagar para sempre</Trans>
      </Button>
    </div>
  )
}
