import type { ComponentProps, ReactNode } from 'react'
import { type Control, type FieldPath, type FieldPathValue, type FieldValues, useController } from 'react-hook-form'
import { Select } from '../ui/select.tsx'
import { Switch } from '../ui/switch.tsx'

/** Controls that stand in a {@link FormDialog}'s fields, each bound to one value of the form. */

interface Bound<Form extends FieldValues, Name extends FieldPath<Form>> {
  control: Control<Form>
  name: Name
}

type Choice = string | number | null | undefined

/** A closed list of choices, whose values are those of the form: texts, ids, or null for "none". */
export function SelectField<Form extends FieldValues, Name extends FieldPath<Form>>({
  control,
  name,
  options,
  ...rest
}: Bound<Form, Name> & {
  options: readonly { value: FieldPathValue<Form, Name>; label: ReactNode; disabled?: boolean }[]
} & Pick<ComponentProps<typeof Select>, 'placeholder' | 'disabled' | 'autoFocus'>) {
  const { value, onChange, onBlur, ref } = useController({ control, name }).field
  const chosen = keyOf(value)
  return (
    <Select
      {...rest}
      ref={ref}
      onBlur={onBlur}
      value={options.some((option) => keyOf(option.value) === chosen) ? chosen : undefined}
      onChange={(key) => onChange(options.find((option) => keyOf(option.value) === key)?.value)}
      options={options.map(({ value: own, ...option }) => ({ ...option, value: keyOf(own) }))}
    />
  )
}

/** The list knows texts only, and none that is empty. */
const keyOf = (value: Choice) => `=${value ?? ''}`

/** Yes or no. */
export function SwitchField<Form extends FieldValues, Name extends FieldPath<Form>>({
  control,
  name,
  disabled,
}: Bound<Form, Name> & { disabled?: boolean }) {
  const { value, onChange, onBlur, ref } = useController({ control, name }).field
  return <Switch ref={ref} checked={value === true} onCheckedChange={onChange} onBlur={onBlur} disabled={disabled} />
}
