import { Trans, useLingui } from '@lingui/react/macro'
import { Paperclip, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { Controller, useForm } from 'react-hook-form'
import { quickMessageInput } from '../../schema/quick-messages/quick-messages.inputs.ts'
import type { QuickMessageInput } from '../../schema/quick-messages/quick-messages.inputs.ts'
import { SwitchField } from '../kit/form-fields.tsx'
import { FormDialog, schemaResolver } from '../kit/form.tsx'
import { useUser } from '../session/session.tsx'
import { FileOfListPicker } from '../files/files.picker.tsx'
import { fileSize } from '../kit/file-size.ts'
import { TemplateField } from '../placeholders/placeholders.field.tsx'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { toast } from '../ui/toaster.tsx'
import { quickMessages } from './quick-messages.queries.ts'
import type { QuickMessage } from './quick-messages.queries.ts'

/** Adds (`row` null) or edits a quick reply, with its file. */
export function QuickMessageDialog({
  row,
  onClose,
  onSaved,
}: {
  row: QuickMessage | null
  onClose: () => void
  onSaved: () => void
}) {
  const { t, i18n } = useLingui()
  const mayShare = useUser().profile === 'admin'
  const picker = useRef<HTMLInputElement>(null)
  const [file, setFile] = useState<File | null>(null)
  const [keptName, setKeptName] = useState(row?.mediaName ?? null)
  // Once a new one is stored, another attempt only repeats the upload that failed.
  const stored = useRef<number | null>(row?.id ?? null)
  const form = useForm<QuickMessageInput>({
    defaultValues: {
      shortcode: row?.shortcode ?? '',
      message: row?.message ?? '',
      isGeneral: row?.isGeneral ?? false,
      status: row?.status ?? true,
    },
    resolver: schemaResolver(quickMessageInput, { shortcode: t`Use ao menos uma letra ou um número` }),
  })
  const {
    register,
    control,
    formState: { errors },
  } = form
  const attached = file ? { name: file.name, size: fileSize(file.size, i18n.locale) } : keptName && { name: keptName }
  return (
    <FormDialog
      onClose={onClose}
      title={row ? t`Editar resposta rápida` : t`Adicionar resposta rápida`}
      form={form}
      fieldOf={{ ERR_QUICK_MESSAGE_ALREADY_EXISTS: 'shortcode' }}
      onSubmit={async (values) => {
        if (stored.current === null) stored.current = (await quickMessages.create(values)).id
        else await quickMessages.update(stored.current, values)
        if (file) await quickMessages.attach(stored.current, file)
        else if (row?.mediaName != null && keptName === null) await quickMessages.detach(stored.current)
        toast.success(t`Resposta rápida salva`)
        onSaved()
      }}
    >
      <Field
        label={<Trans>Atalho</Trans>}
        required
        hint={<Trans>Na conversa, digite / e o atalho</Trans>}
        error={errors.shortcode?.message}
      >
        <Input autoFocus autoComplete="off" spellCheck={false} before="/" {...register('shortcode')} />
      </Field>
      <Controller
        control={control}
        name="message"
        render={({ field: { ref, ...field } }) => (
          <TemplateField
            {...field}
            inputRef={ref}
            label={<Trans>Mensagem</Trans>}
            contact={null}
            error={errors.message?.message}
            rows={5}
            maxRows={12}
          />
        )}
      />
      {attached ? (
        <p className="flex items-center gap-2 rounded-md bg-muted px-2.5 py-1.5 text-sm">
          <Paperclip aria-hidden="true" className="size-4 shrink-0 text-muted-foreground" />
          <span className="min-w-0 flex-1 truncate">{attached.name}</span>
          {'size' in attached && <span className="text-xs text-muted-foreground tabular-nums">{attached.size}</span>}
          <Button
            variant="ghost"
            size="icon-sm"
            aria-label={t`Retirar o arquivo`}
            onClick={() => (file ? setFile(null) : setKeptName(null))}
          >
            <X />
          </Button>
        </p>
      ) : (
        <div className="flex flex-wrap gap-2">
          <Button variant="outline" onClick={() => picker.current?.click()}>
            <Paperclip />
            <Trans>Anexar arquivo</Trans>
          </Button>
          <FileOfListPicker onFile={setFile} />
        </div>
      )}
      <input
        ref={picker}
        type="file"
        hidden
        data-testid="quick-message-file"
        onChange={(event) => {
          const chosen = event.target.files?.[0]
          event.target.value = ''
          if (chosen) setFile(chosen)
        }}
      />
      {mayShare && (
        <Field label={<Trans>Geral: todos da empresa podem usar</Trans>} inline>
          <SwitchField control={control} name="isGeneral" />
        </Field>
      )}
      <Field label={<Trans>Ativa: oferecida nas conversas</Trans>} inline>
        <SwitchField control={control} name="status" />
      </Field>
    </FormDialog>
  )
}
