import { Trans, useLingui } from '@lingui/react/macro'
import { useRef } from 'react'
import { Controller, useForm } from 'react-hook-form'
import { quickMessageInput } from '../../schema/quick-messages/quick-messages.inputs.ts'
import type { QuickMessageInput } from '../../schema/quick-messages/quick-messages.inputs.ts'
import { SwitchField } from '../kit/form-fields.tsx'
import { FormDialog, schemaResolver } from '../kit/form.tsx'
import { useUser } from '../session/session.tsx'
import { FileOfListPicker } from '../files/files.picker.tsx'
import { FileField, useOwnFile } from '../kit/file-field.tsx'
import { TemplateField } from '../placeholders/placeholders.field.tsx'
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
  const { t } = useLingui()
  const mayShare = useUser().profile === 'admin'
  const file = useOwnFile(row?.mediaName ?? null)
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
  return (
    <FormDialog
      onClose={onClose}
      title={row ? t`Editar resposta rápida` : t`Adicionar resposta rápida`}
      form={form}
      fieldOf={{ ERR_QUICK_MESSAGE_ALREADY_EXISTS: 'shortcode' }}
      onSubmit={async (values) => {
        if (stored.current === null) stored.current = (await quickMessages.create(values)).id
        else await quickMessages.update(stored.current, values)
        const id = stored.current
        await file.save({
          attach: (chosen) => quickMessages.attach(id, chosen),
          detach: () => quickMessages.detach(id),
        })
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
      <FileField file={file} testId="quick-message-file" beside={<FileOfListPicker onFile={file.choose} />} />
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
