import { useLingui } from '@lingui/react/macro'
import { EllipsisVertical, type LucideIcon } from 'lucide-react'
import type { ReactElement, ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { DropdownMenu, DropdownMenuContent, DropdownMenuItem, DropdownMenuTrigger } from '../ui/dropdown-menu.tsx'
import { narrowQuery, useMedia } from '../ui/use-media.ts'

/** Something that can be done: as a button where there is room, as a line of a menu where there is none, always with words. */
export interface Action {
  icon: LucideIcon
  /** What it does, in a word or two. */
  label: string
  disabled?: boolean | undefined
  /** Under way: a button shows that, a line is not offered. */
  busy?: boolean | undefined
  /** Why it cannot be done now, or more about it. */
  hint?: string | undefined
  destructive?: boolean | undefined
  run?: () => void
  /** For what leads elsewhere: the link, given what stands in it. */
  link?: (props: { children: ReactNode; 'aria-label'?: string }) => ReactElement
}

/** An action as a line of a menu. */
export function ActionItem({
  action: { icon: Icon, label, disabled, busy, destructive, run, link },
}: {
  action: Action
}) {
  const inside = (
    <>
      <Icon />
      {label}
    </>
  )
  return (
    <DropdownMenuItem
      destructive={destructive}
      disabled={disabled || busy}
      {...(link ? { asChild: true } : { onSelect: () => run?.() })}
    >
      {link ? link({ children: inside }) : inside}
    </DropdownMenuItem>
  )
}

/** What a screen offers beside its main button: buttons, and on a phone, which has no room for them, one with a menu. */
export function MoreActions({
  actions,
  size,
}: {
  actions: readonly (Action | false)[]
  /** `sm` in a bar of its own. */
  size?: 'sm'
}) {
  const { t } = useLingui()
  const narrow = useMedia(narrowQuery)
  const offered = actions.filter((action) => action !== false)
  if (offered.length === 0) return null
  if (narrow)
    return (
      <DropdownMenu>
        <DropdownMenuTrigger asChild>
          <Button variant="outline" size={size ? 'icon-sm' : 'icon'} aria-label={t`Mais ações`}>
            <EllipsisVertical />
          </Button>
        </DropdownMenuTrigger>
        <DropdownMenuContent align="end">
          {offered.map((action) => (
            <ActionItem key={action.label} action={action} />
          ))}
        </DropdownMenuContent>
      </DropdownMenu>
    )
  return offered.map(({ icon: Icon, label, disabled, busy, hint, run, link }) => {
    const inside = (
      <>
        <Icon />
        {label}
      </>
    )
    return (
      <Button
        key={label}
        variant="outline"
        {...(size && { size })}
        title={hint}
        {...(link ? { asChild: true } : { disabled, busy, onClick: () => run?.() })}
      >
        {link ? link({ children: inside }) : inside}
      </Button>
    )
  })
}
