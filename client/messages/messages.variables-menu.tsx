import { useLingui } from '@lingui/react/macro'
import { Braces } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuTrigger,
} from '../ui/dropdown-menu.tsx'
import { Tooltip } from '../ui/tooltip.tsx'
import { useVariableName } from '../placeholders/placeholders.text.tsx'
import type { MessageVariable } from '../placeholders/placeholders.values.ts'

/** What the message can say of contact and ticket; put into the text as it will be read. */
export function VariablesMenu({
  variables,
  onPick,
  onClosed,
}: {
  variables: () => readonly MessageVariable[]
  onPick: (text: string) => void
  onClosed: () => void
}) {
  const { t } = useLingui()
  const label = t`Variáveis da mensagem`
  return (
    <DropdownMenu>
      <Tooltip content={label}>
        <DropdownMenuTrigger asChild>
          <Button variant="ghost" size="icon" aria-label={label} className="text-muted-foreground">
            <Braces />
          </Button>
        </DropdownMenuTrigger>
      </Tooltip>
      <DropdownMenuContent
        side="top"
        align="start"
        className="w-64"
        onCloseAutoFocus={(event) => {
          event.preventDefault()
          onClosed()
        }}
      >
        <DropdownMenuLabel>{label}</DropdownMenuLabel>
        <VariableItems variables={variables} onPick={onPick} />
      </DropdownMenuContent>
    </DropdownMenu>
  )
}

/** Reads the values when the menu opens: the hour is that of the moment. */
export function VariableItems({
  variables,
  onPick,
}: {
  variables: () => readonly MessageVariable[]
  onPick: (text: string) => void
}) {
  const [values] = useState(variables)
  const nameOf = useVariableName()
  return values.map(({ key, value }) => (
    <DropdownMenuItem key={key} disabled={value === ''} onSelect={() => onPick(value)}>
      <span className="flex-1">{nameOf(key)}</span>
      <span className="max-w-32 truncate text-xs text-muted-foreground">{value}</span>
    </DropdownMenuItem>
  ))
}
