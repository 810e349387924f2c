import { Check, ChevronRight } from 'lucide-react'
import { DropdownMenu as MenuPrimitive } from 'radix-ui'
import { createContext, use, useState } from 'react'
import type { ComponentProps } from 'react'
import { useMedia } from './use-media.ts'
import { cn } from './cn.ts'
import { itemClasses, panelClasses } from './panel.ts'

/** Not modal: what is behind an open menu stays there for screen readers, and one click outside does what it says. */
export const DropdownMenu = (props: ComponentProps<typeof MenuPrimitive.Root>) => (
  <MenuPrimitive.Root modal={false} {...props} />
)
export const DropdownMenuTrigger = MenuPrimitive.Trigger
export const DropdownMenuGroup = MenuPrimitive.Group
export const DropdownMenuRadioGroup = MenuPrimitive.RadioGroup

export function DropdownMenuContent({
  className,
  sideOffset = 6,
  ...props
}: ComponentProps<typeof MenuPrimitive.Content>) {
  return (
    <MenuPrimitive.Portal>
      <MenuPrimitive.Content
        sideOffset={sideOffset}
        collisionPadding={8}
        className={cn(
          panelClasses,
          'max-h-(--radix-dropdown-menu-content-available-height) min-w-44 overflow-y-auto',
          className,
        )}
        {...props}
      />
    </MenuPrimitive.Portal>
  )
}

export function DropdownMenuItem({
  className,
  destructive = false,
  ...props
}: ComponentProps<typeof MenuPrimitive.Item> & { destructive?: boolean }) {
  return <MenuPrimitive.Item className={cn(itemClasses, destructive && destructiveItem, className)} {...props} />
}

const destructiveItem =
  'text-destructive-soft-foreground data-[highlighted]:bg-destructive-soft data-[highlighted]:text-destructive-soft-foreground [&_svg]:text-current!'

export function DropdownMenuRadioItem({
  className,
  children,
  ...props
}: ComponentProps<typeof MenuPrimitive.RadioItem>) {
  return (
    <MenuPrimitive.RadioItem className={cn(itemClasses, 'pr-8', className)} {...props}>
      {children}
      <MenuPrimitive.ItemIndicator className="absolute right-2">
        <Check className="size-4 text-primary-soft-foreground" />
      </MenuPrimitive.ItemIndicator>
    </MenuPrimitive.RadioItem>
  )
}

export function DropdownMenuCheckboxItem({
  className,
  children,
  ...props
}: ComponentProps<typeof MenuPrimitive.CheckboxItem>) {
  return (
    <MenuPrimitive.CheckboxItem className={cn(itemClasses, 'pr-8', className)} {...props}>
      {children}
      <MenuPrimitive.ItemIndicator className="absolute right-2">
        <Check className="size-4 text-primary-soft-foreground" />
      </MenuPrimitive.ItemIndicator>
    </MenuPrimitive.CheckboxItem>
  )
}

export function DropdownMenuLabel({ className, ...props }: ComponentProps<typeof MenuPrimitive.Label>) {
  return (
    <MenuPrimitive.Label
      className={cn('px-2 py-1.5 text-xs font-medium text-muted-foreground', className)}
      {...props}
    />
  )
}

export function DropdownMenuSeparator({ className, ...props }: ComponentProps<typeof MenuPrimitive.Separator>) {
  return <MenuPrimitive.Separator className={cn('-mx-1 my-1 h-px bg-border', className)} {...props} />
}

/** The line that opens a list of its own. */
const SubTrigger = createContext<[HTMLElement | null, (line: HTMLElement | null) => void]>([null, () => undefined])

export function DropdownMenuSub(props: ComponentProps<typeof MenuPrimitive.Sub>) {
  return (
    <SubTrigger value={useState<HTMLElement | null>(null)}>
      <MenuPrimitive.Sub {...props} />
    </SubTrigger>
  )
}

export function DropdownMenuSubTrigger({
  className,
  children,
  ...props
}: ComponentProps<typeof MenuPrimitive.SubTrigger>) {
  return (
    <MenuPrimitive.SubTrigger
      ref={use(SubTrigger)[1]}
      className={cn(itemClasses, 'data-[state=open]:bg-accent', className)}
      {...props}
    >
      {children}
      <ChevronRight className="ml-auto size-4" />
    </MenuPrimitive.SubTrigger>
  )
}

/** So far the list stands in from its line where it lies below it, px. */
const subIndent = 16

export function DropdownMenuSubContent({ className, ...props }: ComponentProps<typeof MenuPrimitive.SubContent>) {
  const [line] = use(SubTrigger)
  // Where neither side has room for it, it lies below its line. Radix only knows the sides: from there it is moved in.
  const isBelow = useMedia('(width < 40rem)')
  const place =
    isBelow && line ? { sideOffset: subIndent - line.offsetWidth, alignOffset: line.offsetHeight } : { sideOffset: 4 }
  return (
    <MenuPrimitive.Portal>
      <MenuPrimitive.SubContent
        {...place}
        collisionPadding={8}
        className={cn(panelClasses, 'min-w-40', className)}
        {...props}
      />
    </MenuPrimitive.Portal>
  )
}
