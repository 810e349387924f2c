import { useLingui } from '@lingui/react/macro'
import type { UseFormRegisterReturn } from 'react-hook-form'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'

/** The e-mail that somebody logs in with, which the browser and password managers know. */
export function EmailField({
  error,
  required = false,
  autoFocus = false,
  passkeys = false,
  registered,
}: {
  error: string | undefined
  required?: boolean
  autoFocus?: boolean
  /** The browser offers keys of devices here, too. */
  passkeys?: boolean
  registered: UseFormRegisterReturn
}) {
  const { t } = useLingui()
  return (
    <Field label={t`E-mail`} required={required} error={error}>
      <Input
        type="email"
        inputMode="email"
        autoComplete={passkeys ? 'username webauthn' : 'username'}
        autoCapitalize="none"
        spellCheck={false}
        autoFocus={autoFocus}
        className="h-10"
        {...registered}
      />
    </Field>
  )
}
