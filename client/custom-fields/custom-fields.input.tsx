import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { FieldValue } from '../../schema/custom-fields/custom-fields.table.ts'
import { fieldBounds, type FieldFault, readText, valueText } from '../../schema/custom-fields/custom-fields.values.ts'
import type { Language } from '../../schema/languages.ts'
import { Combobox } from '../ui/combobox.tsx'
import { DateInput } from '../ui/date-input.tsx'
import { Input } from '../ui/input.tsx'
import { Select } from '../ui/select.tsx'
import type { FieldRow } from './custom-fields.rows.ts'

/** The language of the screens, in which values are written and read. */
export function useFieldLanguage(): Language {
  const { i18n } = useLingui()
  return i18n.locale as Language
}

/** A value in words; empty for none. */
export function useValueText(): (field: FieldRow, value: FieldValue | null | undefined) => string {
  const language = useFieldLanguage()
  return (field, value) => valueText(field, value, language)
}

/**
 * What a field is filled in with. A text and a number are told when the person goes on, or with Enter; Escape takes back
 * what was typed. It takes its label, its hint and its error from the `Field` around it.
 */
export function FieldInput({
  field,
  value,
  onChange,
  onFault,
  onTyped,
  className,
  autoFocus,
}: {
  field: FieldRow
  value: FieldValue | null
  onChange: (value: FieldValue | null) => void
  /** What was typed is no value of the field; null when it is again. */
  onFault: (fault: FieldFault | null) => void
  /** Each letter counts at once, as in a dialog that is sent with Enter. */
  onTyped?: boolean
  className?: string
  autoFocus?: boolean
}) {
  const { t } = useLingui()
  switch (field.type) {
    case 'date':
      return (
        <DateInput
          value={typeof value === 'string' ? value : ''}
          onChange={(day) => onChange(day || null)}
          className={className}
          autoFocus={autoFocus}
        />
      )
    case 'boolean':
      return (
        <Select<'none' | 'yes' | 'no'>
          value={value === true ? 'yes' : value === false ? 'no' : 'none'}
          onChange={(next) => onChange(next === 'none' ? null : next === 'yes')}
          className={className}
          autoFocus={autoFocus}
          options={[
            { value: 'none', label: '—' },
            { value: 'yes', label: t`Sim` },
            { value: 'no', label: t`Não` },
          ]}
        />
      )
    case 'choice':
      return (
        <Combobox
          value={typeof value === 'string' ? value : null}
          onChange={onChange}
          clearable
          placeholder="—"
          className={className}
          autoFocus={autoFocus}
          options={field.options
            // Who has what is offered no more keeps it.
            .filter(({ id, archived }) => !archived || id === value)
            .map(({ id, label }) => ({ id, label }))}
        />
      )
    case 'text':
    case 'number':
      return <TypedValue {...{ field, value, onChange, onFault, onTyped, className, autoFocus }} />
  }
}

function TypedValue({
  field,
  value,
  onChange,
  onFault,
  onTyped = false,
  className,
  autoFocus,
}: Parameters<typeof FieldInput>[0]) {
  const language = useFieldLanguage()
  const [typed, setTyped] = useState<string | null>(null)
  const written = valueText(field, value, language)
  /** Whether it is a value, which was told. */
  const take = (text: string): boolean => {
    const read = readText(field, text, language)
    onFault('fault' in read ? read.fault : null)
    if ('fault' in read) return false
    if (read.value !== value) onChange(read.value)
    return true
  }
  return (
    <Input
      autoComplete="off"
      placeholder="—"
      className={className}
      autoFocus={autoFocus}
      maxLength={field.type === 'text' ? fieldBounds.text : 30}
      inputMode={field.type === 'number' ? 'decimal' : undefined}
      value={typed ?? written}
      onChange={(event) => {
        setTyped(event.target.value)
        if (onTyped) take(event.target.value)
      }}
      onBlur={() => {
        if (typed !== null && take(typed)) setTyped(null)
      }}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing || onTyped) return
        if (event.key === 'Enter') {
          event.preventDefault()
          if (typed !== null && take(typed)) setTyped(null)
        }
        if (event.key === 'Escape' && typed !== null) {
          event.stopPropagation()
          setTyped(null)
          onFault(null)
        }
      }}
    />
  )
}
