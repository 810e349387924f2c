import { ContextMenu as MenuPrimitive } from 'radix-ui'
import type { ComponentProps } from 'react'
import { cn } from './cn.ts'
import { itemClasses, panelClasses } from './panel.ts'

export const ContextMenu = MenuPrimitive.Root
export const ContextMenuTrigger = MenuPrimitive.Trigger

/** Opens on right click and long press. Whatever it offers must also be reachable by a visible control. */
export function ContextMenuContent({ className, ...props }: ComponentProps<typeof MenuPrimitive.Content>) {
  return (
    <MenuPrimitive.Portal>
      <MenuPrimitive.Content collisionPadding={8} className={cn(panelClasses, 'min-w-44', className)} {...props} />
    </MenuPrimitive.Portal>
  )
}

export function ContextMenuItem({
  className,
  destructive = false,
  ...props
}: ComponentProps<typeof MenuPrimitive.Item> & { destructive?: boolean }) {
  return (
    <MenuPrimitive.Item
      className={cn(
        itemClasses,
        destructive &&
          'text-destructive-soft-foreground data-[highlighted]:bg-destructive-soft data-[highlighted]:text-destructive-soft-foreground [&_svg]:text-current!',
        className,
      )}
      {...props}
    />
  )
}

export function ContextMenuSeparator({ className, ...props }: ComponentProps<typeof MenuPrimitive.Separator>) {
  return <MenuPrimitive.Separator className={cn('-mx-1 my-1 h-px bg-border', className)} {...props} />
}
