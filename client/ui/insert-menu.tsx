import { Fragment } from 'react'
import type { ReactNode, RefObject } from 'react'
import { Braces } from 'lucide-react'
import { Button } from './button.tsx'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from './dropdown-menu.tsx'
import { Tooltip } from './tooltip.tsx'

/** A part of the menu: names that can be put in, with words for those that are not words themselves. */
export interface InsertPart {
  label: ReactNode
  names: readonly (readonly [name: string, words?: string])[]
}

/** In the corner over a text field: what can be put where the caret stands. The focus goes back to the field. */
export function InsertMenu({
  label,
  parts,
  field,
  onPick,
}: {
  label: string
  parts: readonly InsertPart[]
  field: RefObject<HTMLTextAreaElement | HTMLInputElement | null>
  onPick: (name: string) => void
}) {
  return (
    <DropdownMenu>
      <Tooltip content={label}>
        <DropdownMenuTrigger asChild>
          <Button
            variant="ghost"
            size="icon-sm"
            aria-label={label}
            className="absolute -top-2 right-0 text-muted-foreground touch:-top-3"
          >
            <Braces />
          </Button>
        </DropdownMenuTrigger>
      </Tooltip>
      <DropdownMenuContent
        align="end"
        onCloseAutoFocus={(event) => {
          event.preventDefault()
          field.current?.focus()
        }}
      >
        {parts.map((part, at) => (
          <Fragment key={at}>
            {at > 0 && <DropdownMenuSeparator />}
            <DropdownMenuLabel>{part.label}</DropdownMenuLabel>
            {part.names.map(([name, words]) => (
              <DropdownMenuItem key={name} onSelect={() => onPick(name)}>
                <span className="flex-1">{words ?? name}</span>
                {words && <span className="text-xs text-muted-foreground">{name}</span>}
              </DropdownMenuItem>
            ))}
          </Fragment>
        ))}
      </DropdownMenuContent>
    </DropdownMenu>
  )
}
