import { Switch as SwitchPrimitive } from 'radix-ui'
import type { ComponentProps } from 'react'
import { cn } from './cn.ts'
import { useFieldControl } from './field.tsx'

export function Switch({ className, ...props }: ComponentProps<typeof SwitchPrimitive.Root>) {
  const field = useFieldControl()
  return (
    <SwitchPrimitive.Root
      {...field}
      className={cn(
        'focus-ring relative h-[1.125rem] w-8 shrink-0 rounded-full bg-control p-0.5 transition-colors touch:tap-area',
        'data-[state=checked]:bg-primary disabled:cursor-not-allowed disabled:opacity-50',
        className,
      )}
      {...props}
    >
      <SwitchPrimitive.Thumb className="block size-3.5 rounded-full bg-white shadow-sm transition-transform data-[state=checked]:translate-x-3.5 dark:data-[state=checked]:bg-primary-foreground" />
    </SwitchPrimitive.Root>
  )
}
