import { useLingui } from '@lingui/react/macro'
import { type FormEvent, useState } from 'react'
import { Field } from '../ui/field.tsx'
import { PasswordInput } from '../ui/password-input.tsx'
import { errorText } from '../session/error-text.ts'

/** A step that may be refused. It stands in the profile's form, which must not hear of it. */
export function useStep(run: () => Promise<void>) {
  const [error, setError] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    setBusy(true)
    setError(undefined)
    try {
      await run()
    } catch (refused) {
      setError(refused)
    } finally {
      setBusy(false)
    }
  }
  return { busy, refusal: error === undefined ? undefined : errorText(error), submit }
}

export function Password({
  value,
  onChange,
  error,
}: {
  value: string
  onChange: (text: string) => void
  error: string | undefined
}) {
  const { t } = useLingui()
  return (
    <Field label={t`Senha atual`} required error={error}>
      <PasswordInput
        autoFocus
        autoComplete="current-password"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  )
}
