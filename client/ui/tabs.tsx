import { cva } from 'class-variance-authority'
import { Tabs as TabsPrimitive } from 'radix-ui'
import { createContext, use, useEffect, useRef } from 'react'
import type { ComponentProps } from 'react'
import { cn } from './cn.ts'

type Look = 'line' | 'pill'
const LookContext = createContext<Look>('line')

const list = cva('flex shrink-0 items-center', {
  variants: {
    look: {
      line: '-mx-1 gap-2 overflow-x-auto border-b [scrollbar-width:none]',
      pill: 'gap-0.5 rounded-lg bg-muted p-0.5',
    },
  },
})
const trigger = cva(
  [
    'focus-ring relative inline-flex items-center justify-center gap-1.5 text-sm font-medium whitespace-nowrap text-muted-foreground select-none',
    'transition-colors hover:text-foreground data-[state=active]:text-foreground disabled:pointer-events-none disabled:opacity-50 [&_svg]:size-4',
  ],
  {
    variants: {
      look: {
        line: 'h-9 rounded-sm px-1 outline-offset-[-2px] after:absolute after:inset-x-1 after:bottom-0 after:h-0.5 after:rounded-full data-[state=active]:after:bg-primary touch:h-11',
        pill: 'h-7 flex-1 rounded-md px-3 data-[state=active]:bg-card data-[state=active]:shadow-xs dark:data-[state=active]:bg-accent touch:h-10 touch:tap-area',
      },
    },
  },
)

export const Tabs = TabsPrimitive.Root

/** So much of the tab beside the chosen one stays in sight: there is more. */
const peekPx = 24

/** The chosen tab is in sight, also where the others leave it no room: when the list is shown, and when another is chosen. */
function useChosenInSight() {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const root = list.current
    if (!root) return
    const show = () => {
      const chosen = root.querySelector('[data-state=active]')?.getBoundingClientRect()
      if (!chosen) return
      const { left, right } = root.getBoundingClientRect()
      if (chosen.left < left) root.scrollLeft -= left - chosen.left + peekPx
      else if (chosen.right > right) root.scrollLeft += chosen.right - right + peekPx
    }
    show()
    const observer = new MutationObserver(show)
    observer.observe(root, { subtree: true, attributeFilter: ['data-state'] })
    return () => observer.disconnect()
  }, [])
  return list
}

/** `line` for pages and dialogs, `pill` for switching inside a panel. */
export function TabsList({
  look = 'line',
  className,
  ...props
}: ComponentProps<typeof TabsPrimitive.List> & { look?: Look }) {
  const inSight = useChosenInSight()
  return (
    <LookContext value={look}>
      <TabsPrimitive.List ref={inSight} className={cn(list({ look }), className)} {...props} />
    </LookContext>
  )
}

export function TabsTrigger({ className, ...props }: ComponentProps<typeof TabsPrimitive.Trigger>) {
  // Most lists here switch panels of their own: an id that is nowhere on the page would be said to be controlled.
  return (
    <TabsPrimitive.Trigger
      aria-controls={undefined}
      className={cn(trigger({ look: use(LookContext) }), className)}
      // Radix gives it the focus when it is pressed, since not every browser does: by a script, and so with the keyboard's ring.
      onMouseDown={({ currentTarget }) => currentTarget.focus({ focusVisible: false })}
      {...props}
    />
  )
}

export function TabsContent({ className, ...props }: ComponentProps<typeof TabsPrimitive.Content>) {
  return <TabsPrimitive.Content className={cn('focus-ring rounded-sm', className)} {...props} />
}
