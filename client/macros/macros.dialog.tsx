import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { Controller, useForm, useWatch } from 'react-hook-form'
import type { TicketAction } from '../../schema/actions/actions.inputs.ts'
import { macroWords } from '../../schema/macros/macros.inputs.ts'
import { type Sharing, sharings } from '../../schema/sharing.ts'
import { ActionList, firstAction, isWholeAction } from '../actions/actions.list.tsx'
import { FormDialog, Refusal, schemaResolver } from '../kit/form.tsx'
import { useQueues } from '../replica/directory.ts'
import { useCan } from '../session/session.tsx'
import { MultiCombobox } from '../ui/combobox.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { Select } from '../ui/select.tsx'
import { toast } from '../ui/toaster.tsx'
import { macros } from './macros.queries.ts'
import type { MacroRow } from './macros.rows.ts'
import { useSharingWords } from './macros.words.ts'

/** Adds (`row` null) or edits a macro. */
export function MacroDialog({
  row,
  onClose,
  onSaved,
}: {
  row: MacroRow | null
  onClose: () => void
  onSaved: () => void
}) {
  const { t } = useLingui()
  const mayShare = useCan('macros:write')
  const words = useSharingWords()
  const queues = useQueues()
  const [tried, setTried] = useState(false)
  const fields = useForm<{
    name: string
    shortcut: string
    sharing: Sharing
    queueIds: number[]
    actions: TicketAction[]
  }>({
    defaultValues: {
      name: row?.name ?? '',
      shortcut: row?.shortcut ?? '',
      sharing: row?.sharing ?? 'own',
      queueIds: row?.queueIds ?? [],
      actions: row?.actions ?? [firstAction],
    },
    resolver: schemaResolver(macroWords, { shortcut: t`Sem espaços e sem barra` }),
  })
  const { control, register, getValues } = fields
  const { errors } = fields.formState
  const sharing = useWatch({ control, name: 'sharing' })
  return (
    <FormDialog
      onClose={onClose}
      title={row ? t`Editar macro` : t`Nova macro`}
      size="lg"
      form={fields}
      onSubmit={async ({ name, shortcut }) => {
        setTried(true)
        const values = getValues()
        if (!values.actions.every((action) => isWholeAction(action))) throw new Refusal('root', t`Complete as ações.`)
        if (values.sharing === 'queues' && values.queueIds.length === 0)
          throw new Refusal('root', t`Escolha ao menos uma fila.`)
        const input = { ...values, name, shortcut }
        await (row ? macros.update(row.id, input) : macros.create(input))
        toast.success(t`Macro salva`)
        onSaved()
      }}
    >
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <Field label={<Trans>Nome</Trans>} required error={errors.name?.message}>
          <Input autoFocus autoComplete="off" {...register('name')} />
        </Field>
        <Field
          label={<Trans>Atalho</Trans>}
          hint={<Trans>Na conversa, digite / e o atalho</Trans>}
          error={errors.shortcut?.message}
        >
          <Input autoComplete="off" spellCheck={false} before="/" {...register('shortcut')} />
        </Field>
      </div>
      <Controller
        control={control}
        name="actions"
        render={({ field }) => <ActionList value={field.value} onChange={field.onChange} tried={tried} />}
      />
      {mayShare && (
        <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
          <Controller
            control={control}
            name="sharing"
            render={({ field }) => (
              <Field label={<Trans>Quem pode usar</Trans>}>
                <Select<Sharing>
                  value={field.value}
                  onChange={field.onChange}
                  options={sharings.map((value) => ({ value, label: words[value] }))}
                />
              </Field>
            )}
          />
          {sharing === 'queues' && (
            <Controller
              control={control}
              name="queueIds"
              render={({ field }) => (
                <Field label={<Trans>Filas</Trans>} required>
                  <MultiCombobox
                    values={field.value.map(String)}
                    onChange={(ids) => field.onChange(ids.map(Number))}
                    options={queues.list.map(({ id, name }) => ({ id: String(id), label: name }))}
                  />
                </Field>
              )}
            />
          )}
        </div>
      )}
    </FormDialog>
  )
}
