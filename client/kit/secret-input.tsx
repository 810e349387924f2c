import { Trans, useLingui } from '@lingui/react/macro'
import { Eye, EyeOff, LockKeyhole } from 'lucide-react'
import { useState } from 'react'
import { MASK } from '../../schema/secrets.ts'
import { Button } from '../ui/button.tsx'
import { Input } from '../ui/input.tsx'
import { Textarea } from '../ui/textarea.tsx'

/**
 * A key or the like. One that the server keeps is not shown; it can only be replaced, and left as it is again.
 * `wasKept`: whether the server has one.
 */
export function SecretInput({
  value,
  onChange,
  onBlur,
  wasKept,
  multiline = false,
  visible = false,
  placeholder,
  ref,
}: {
  value: string
  onChange: (value: string) => void
  onBlur?: () => void
  wasKept: boolean
  multiline?: boolean
  /** What is typed can be read, such as an address. */
  visible?: boolean
  placeholder?: string
  ref?: (element: HTMLElement | null) => void
}) {
  const { t } = useLingui()
  const [shown, setShown] = useState(visible)
  if (value === MASK)
    return (
      <div className="flex items-center gap-2">
        <Input readOnly ref={ref} value={t`Valor guardado`} before={<LockKeyhole />} />
        <Button variant="outline" onClick={() => onChange('')}>
          <Trans>Trocar</Trans>
        </Button>
      </div>
    )
  const shared = {
    ref,
    value,
    placeholder,
    onBlur,
    autoFocus: wasKept,
    autoComplete: 'off',
    spellCheck: false,
    // On phones the size of other fields: below it iOS zooms the page.
    className: 'font-mono sm:text-xs',
  }
  return (
    <div className="flex items-start gap-2">
      {multiline ? (
        <Textarea rows={5} {...shared} onChange={(event) => onChange(event.target.value)} />
      ) : (
        <Input
          {...shared}
          // Browsers would offer to keep a password field's text as the person's own password.
          data-1p-ignore
          type={shown ? 'text' : 'password'}
          onChange={(event) => onChange(event.target.value)}
          after={
            <Button
              variant="ghost"
              size="icon-sm"
              aria-label={shown ? t`Ocultar` : t`Mostrar`}
              aria-pressed={shown}
              className="text-muted-foreground"
              onClick={() => setShown(!shown)}
            >
              {shown ? <EyeOff /> : <Eye />}
            </Button>
          }
        />
      )}
      {wasKept && (
        <Button variant="outline" onClick={() => onChange(MASK)}>
          <Trans>Manter a atual</Trans>
        </Button>
      )}
    </div>
  )
}
