import { useLingui } from '@lingui/react/macro'
import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { Button } from './button.tsx'
import { Input } from './input.tsx'
import type { InputProps } from './input.tsx'

/** A password with a button that shows what is typed. */
export function PasswordInput(props: Omit<InputProps, 'type' | 'after'>) {
  const { t } = useLingui()
  const [shown, setShown] = useState(false)
  return (
    <Input
      {...props}
      type={shown ? 'text' : 'password'}
      after={
        <Button
          variant="ghost"
          size="icon-sm"
          aria-label={shown ? t`Ocultar a senha` : t`Mostrar a senha`}
          aria-pressed={shown}
          className="text-muted-foreground"
          onClick={() => setShown(!shown)}
        >
          {shown ? <EyeOff /> : <Eye />}
        </Button>
      }
    />
  )
}
