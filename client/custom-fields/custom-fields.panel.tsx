import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { FieldPatch, FieldValue } from '../../schema/custom-fields/custom-fields.table.ts'
import type { FieldFault } from '../../schema/custom-fields/custom-fields.values.ts'
import { Field } from '../ui/field.tsx'
import { offerUndo } from '../session/undo.ts'
import { FieldInput, useValueText } from './custom-fields.input.tsx'
import type { FieldRow } from './custom-fields.rows.ts'
import { useFieldWords } from './custom-fields.words.ts'

const quiet = 'border-transparent bg-transparent shadow-none hover:border-input'
/** Of a control that stands in a box of its own. */
const quietWithin =
  '[&_input]:border-transparent [&_input]:bg-transparent [&_input]:shadow-none [&_input:hover]:border-input'

/** The fields of a contact or of a ticket beside a conversation: each is filled in where it stands. */
export default function FieldsPanel({
  fields,
  values,
  readOnly,
  save,
}: {
  fields: readonly FieldRow[]
  values: FieldPatch
  readOnly: boolean
  /** Answers whether it was taken. */
  save: (patch: FieldPatch) => Promise<boolean>
}) {
  const textOf = useValueText()
  if (readOnly)
    return (
      <dl className="flex flex-col gap-2 text-sm">
        {fields.map((field) => (
          <div key={field.id}>
            <dt className="text-xs text-muted-foreground">{field.name}</dt>
            <dd className="break-words">{textOf(field, values[field.id]) || '—'}</dd>
          </div>
        ))}
      </dl>
    )
  return (
    <div className="-mx-2.5 flex flex-col gap-2">
      {fields.map((field) => (
        <PanelField key={field.id} field={field} value={values[field.id] ?? null} save={save} />
      ))}
    </div>
  )
}

function PanelField({
  field,
  value,
  save,
}: {
  field: FieldRow
  value: FieldValue | null
  save: (patch: FieldPatch) => Promise<boolean>
}) {
  const { t } = useLingui()
  const words = useFieldWords()
  const [fault, setFault] = useState<FieldFault | null>(null)
  const { id, name } = field
  const change = async (next: FieldValue | null) => {
    if (!(await save({ [id]: next }))) return
    offerUndo(next === null ? t`${name}: esvaziado` : t`${name}: preenchido`, () => void save({ [id]: value }))
  }
  return (
    <Field
      label={<span className="px-2.5 text-xs font-normal text-muted-foreground">{name}</span>}
      hint={field.help && <span className="block px-2.5">{field.help}</span>}
      error={fault && <span className="block px-2.5">{words.faults[fault]}</span>}
      className="gap-0.5"
    >
      <FieldInput
        field={field}
        value={value}
        onChange={(next) => void change(next)}
        onFault={setFault}
        // As quiet as what is only read, until somebody comes near.
        className={field.type === 'date' ? quietWithin : quiet}
      />
    </Field>
  )
}
