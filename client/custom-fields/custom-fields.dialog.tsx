import { Trans, useLingui } from '@lingui/react/macro'
import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react'
import { useRef } from 'react'
import { useController, useForm, useWatch, type Control } from 'react-hook-form'
import { type CustomFieldInput, customFieldInput } from '../../schema/custom-fields/custom-fields.inputs.ts'
import {
  type FieldEntity,
  fieldEntities,
  type FieldOption,
  fieldTypes,
} from '../../schema/custom-fields/custom-fields.table.ts'
import { fieldBounds, keyFrom } from '../../schema/custom-fields/custom-fields.values.ts'
import { newId } from '../../schema/ids.ts'
import { FormDialog, Refusal, schemaResolver } from '../kit/form.tsx'
import { SelectField, SwitchField } from '../kit/form-fields.tsx'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { toast } from '../ui/toaster.tsx'
import { customFields, type DefinedField } from './custom-fields.queries.ts'
import { useFieldWords } from './custom-fields.words.ts'

const blank = (): FieldOption => ({ id: newId(), label: '' })

/** Defines a field (`field` null) or changes one; what it stands on and its type stay as they are. */
export function CustomFieldDialog({
  field,
  entity,
  taken,
  onClose,
  onSaved,
}: {
  field: DefinedField | null
  /** On what a new one stands at first. */
  entity: FieldEntity
  /** The company's fields, whose keys are taken. */
  taken: readonly DefinedField[]
  onClose: () => void
  onSaved: (saved: DefinedField) => void
}) {
  const { t } = useLingui()
  const words = useFieldWords()
  const form = useForm<CustomFieldInput>({
    defaultValues: {
      entity: field?.entity ?? entity,
      type: field?.type ?? 'text',
      name: field?.name ?? '',
      options: field ? field.options.filter(({ archived }) => !archived) : [blank(), blank()],
      help: field?.help ?? '',
      required: field?.required ?? false,
    },
    resolver: async (values, context, options) => {
      const ofChoice = values.type === 'choice' ? values.options.filter(({ label }) => label.trim() !== '') : []
      return schemaResolver<CustomFieldInput>(customFieldInput)({ ...values, options: ofChoice }, context, options)
    },
  })
  const { register, control } = form
  const { errors } = form.formState
  const [name, type, chosen] = useWatch({ control, name: ['name', 'type', 'entity'] })
  const keys = new Set(taken.map(({ key }) => key))
  const key = field?.key ?? (name.trim() ? keyFrom(name, (one) => keys.has(one)) : null)
  return (
    <FormDialog
      onClose={onClose}
      title={field ? t`Editar campo` : t`Adicionar campo`}
      form={form}
      fieldOf={{ ERR_FIELD_NAME_TAKEN: 'name' }}
      onSubmit={async (values) => {
        if (values.type === 'choice')
          demandOptions(values.options, t`Escreva ao menos uma opção.`, t`Há duas opções iguais.`)
        const { entity: _entity, type: _type, ...changes } = values
        const saved = await (field ? customFields.update(field.id, changes) : customFields.create(values))
        toast.success(t`Campo salvo`)
        onSaved(saved)
      }}
    >
      <Field
        label={<Trans>Nome</Trans>}
        required
        error={errors.name?.message}
        hint={
          key && (
            <Trans>
              Programas e mensagens o chamam de <code className="wrap-anywhere">{key}</code>; isso não muda mais.
            </Trans>
          )
        }
      >
        <Input autoFocus autoComplete="off" maxLength={fieldBounds.name} {...register('name')} />
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={<Trans>De</Trans>}>
          <SelectField
            control={control}
            name="entity"
            disabled={field !== null}
            options={fieldEntities.toReversed().map((value) => ({ value, label: words.entities[value] }))}
          />
        </Field>
        <Field
          label={<Trans>Tipo</Trans>}
          hint={field === null ? <Trans>Depois de criado, o tipo não muda.</Trans> : undefined}
        >
          <SelectField
            control={control}
            name="type"
            disabled={field !== null}
            options={fieldTypes.map((value) => ({ value, label: words.types[value] }))}
          />
        </Field>
      </div>
      {type === 'choice' && <Options control={control} />}
      <Field
        label={<Trans>Ajuda</Trans>}
        hint={<Trans>Aparece junto ao campo, para quem o preenche.</Trans>}
        error={errors.help?.message}
      >
        <Input autoComplete="off" maxLength={fieldBounds.help} {...register('help')} />
      </Field>
      <Field
        label={<Trans>Obrigatório ao resolver</Trans>}
        inline
        hint={
          chosen === 'ticket' ? (
            <Trans>O atendente preenche antes de resolver o atendimento. Programas e fluxos não precisam.</Trans>
          ) : (
            <Trans>
              O atendente preenche antes de resolver um atendimento do contato. Grupos, programas e fluxos não precisam.
            </Trans>
          )
        }
      >
        <SwitchField control={control} name="required" />
      </Field>
    </FormDialog>
  )
}

/** @throws Refusal without an option, and with one that stands there twice */
function demandOptions(options: readonly FieldOption[], none: string, twice: string): void {
  const labels = options.map(({ label }) => label.trim().toLowerCase())
  if (labels.length === 0) throw new Refusal<CustomFieldInput>('root', none)
  if (new Set(labels).size < labels.length) throw new Refusal<CustomFieldInput>('root', twice)
}

/** What may be chosen, in its order. Several lines that are pasted become several options. */
function Options({ control }: { control: Control<CustomFieldInput> }) {
  const { t } = useLingui()
  const {
    field: { value: options, onChange },
  } = useController({ control, name: 'options' })
  const list = useRef<HTMLUListElement>(null)
  const set = (next: readonly FieldOption[], focusAt?: number) => {
    onChange(next)
    if (focusAt !== undefined)
      setTimeout(() => list.current?.querySelectorAll<HTMLInputElement>('input')[focusAt]?.focus())
  }
  const isFull = options.length >= fieldBounds.options
  const move = (from: number, by: number) => {
    const moved = options[from]
    if (moved) set(options.toSpliced(from, 1).toSpliced(from + by, 0, moved))
  }
  return (
    <div role="group" aria-label={t`Opções`} className="flex flex-col gap-2">
      <p aria-hidden="true" className="text-[0.8125rem] leading-none font-medium">
        <Trans>Opções</Trans>
      </p>
      <ul ref={list} className="flex flex-col gap-1.5">
        {options.map((option, at) => (
          <li key={option.id} className="flex items-center gap-1">
            <Input
              aria-label={t`Opção ${at + 1}`}
              autoComplete="off"
              maxLength={fieldBounds.label}
              value={option.label}
              onChange={(event) => set(options.with(at, { ...option, label: event.target.value }))}
              onPaste={(event) => {
                const lines = event.clipboardData
                  .getData('text')
                  .split(/\r?\n/)
                  .map((line) => line.trim().slice(0, fieldBounds.label))
                  .filter(Boolean)
                if (lines.length < 2) return
                event.preventDefault()
                const [first, ...rest] = lines as [string, ...string[]]
                const added = rest.map((label) => ({ id: newId(), label }))
                const next = options.with(at, { ...option, label: first }).toSpliced(at + 1, 0, ...added)
                set(next.slice(0, fieldBounds.options))
              }}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
                event.preventDefault()
                if (!isFull) set(options.toSpliced(at + 1, 0, blank()), at + 1)
              }}
            />
            <Button
              variant="ghost"
              size="icon"
              disabled={at === 0}
              aria-label={t`Subir a opção ${at + 1}`}
              onClick={() => move(at, -1)}
            >
              <ArrowUp />
            </Button>
            <Button
              variant="ghost"
              size="icon"
              disabled={at === options.length - 1}
              aria-label={t`Descer a opção ${at + 1}`}
              onClick={() => move(at, 1)}
            >
              <ArrowDown />
            </Button>
            <Button
              variant="ghost"
              size="icon"
              disabled={options.length === 1}
              aria-label={t`Retirar a opção ${at + 1}`}
              onClick={() => set(options.toSpliced(at, 1), Math.max(0, at - 1))}
            >
              <X />
            </Button>
          </li>
        ))}
      </ul>
      <div>
        <Button
          variant="outline"
          size="sm"
          disabled={isFull}
          onClick={() => set([...options, blank()], options.length)}
        >
          <Plus />
          <Trans>Adicionar opção</Trans>
        </Button>
      </div>
    </div>
  )
}
