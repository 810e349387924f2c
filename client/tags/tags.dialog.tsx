import { Trans, useLingui } from '@lingui/react/macro'
import { Controller, useForm, useWatch } from 'react-hook-form'
import { tagInput } from '../../schema/tags/tags.inputs.ts'
import type { TagInput } from '../../schema/tags/tags.inputs.ts'
import { FormDialog, schemaResolver } from '../kit/form.tsx'
import { useCan } from '../session/session.tsx'
import { ColorSwatch, swatches } from '../ui/color-swatch.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { Switch } from '../ui/switch.tsx'
import { toast } from '../ui/toaster.tsx'
import { tags } from './tags.queries.ts'
import type { Tag } from './tags.queries.ts'

/** Adds (`tag` null) or edits a tag. */
export function TagDialog({ tag, onClose, onSaved }: { tag: Tag | null; onClose: () => void; onSaved: () => void }) {
  const { t } = useLingui()
  const mayKanban = useCan('tags:kanban')
  const form = useForm<TagInput>({
    defaultValues: {
      name: tag?.name ?? '',
      color: tag?.color ?? swatches[25],
      kanban: tag?.kanban ?? 0,
      laneOrder: tag?.laneOrder ?? null,
      laneLimit: tag?.laneLimit ?? null,
    },
    resolver: schemaResolver(tagInput, { name: t`Mensagem muito curta` }),
  })
  const {
    register,
    control,
    formState: { errors },
  } = form
  const isLane = useWatch({ control, name: 'kanban' }) === 1
  return (
    <FormDialog
      onClose={onClose}
      title={tag ? t`Editar etiqueta` : t`Adicionar etiqueta`}
      form={form}
      fieldOf={{ ERR_TAG_NAME_ALREADY_EXISTS: 'name' }}
      onSubmit={async (values) => {
        await (tag ? tags.update(tag.id, values) : tags.create(values))
        toast.success(t`Etiqueta salva`)
        onSaved()
      }}
    >
      <Field
        label={<Trans>Nome</Trans>}
        required
        error={errors.name?.type === 'tooShort' ? t`Mensagem muito curta` : errors.name?.message}
      >
        <Input autoFocus autoComplete="off" {...register('name')} />
      </Field>
      <Field label={<Trans>Cor</Trans>} required error={errors.color?.message}>
        <Controller
          control={control}
          name="color"
          render={({ field }) => <ColorSwatch value={field.value} onChange={field.onChange} />}
        />
      </Field>
      {mayKanban && (
        <Field label={<Trans>Usar como coluna do kanban</Trans>} inline>
          <Controller
            control={control}
            name="kanban"
            render={({ field: { value, onChange, ref } }) => (
              <Switch ref={ref} checked={value === 1} onCheckedChange={(on) => onChange(on ? 1 : 0)} />
            )}
          />
        </Field>
      )}
      {mayKanban && isLane && (
        <div className="grid gap-4 sm:grid-cols-2">
          <Field
            label={<Trans>Posição no quadro</Trans>}
            hint={<Trans>Sem posição, a coluna vem depois, por nome</Trans>}
            error={errors.laneOrder?.message}
          >
            <Input
              type="number"
              inputMode="numeric"
              min={1}
              max={999}
              {...register('laneOrder', { setValueAs: numberOrNothing })}
            />
          </Field>
          <Field
            label={<Trans>Limite de cartões</Trans>}
            hint={<Trans>Acima dele, a coluna avisa</Trans>}
            error={errors.laneLimit?.message}
          >
            <Input
              type="number"
              inputMode="numeric"
              min={1}
              max={9999}
              {...register('laneLimit', { setValueAs: numberOrNothing })}
            />
          </Field>
        </div>
      )}
    </FormDialog>
  )
}

const numberOrNothing = (value: string | number | null) => (value === '' || value === null ? null : Number(value))
