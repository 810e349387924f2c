import { useEffect, useId, useRef } from 'react'
import type { ReactNode, RefObject } from 'react'
import { CardBody } from '../ui/card.tsx'
import { cn } from '../ui/cn.ts'

/** Choices one under the other. */
export function SettingRows({ children }: { children: ReactNode }) {
  return <CardBody className="flex flex-col divide-y pb-1">{children}</CardBody>
}

/** For a place that somebody may ask for by its name: it comes into view. */
export function useWantedPlace<E extends HTMLElement>(isWanted: boolean): RefObject<E | null> {
  const place = useRef<E>(null)
  // Here and not on the screen: the place may come later than the wish, with its tab or with the settings.
  useEffect(() => {
    if (isWanted) place.current?.scrollIntoView({ block: 'center' })
  }, [isWanted])
  return place
}

export type RowIds = { id: string; 'aria-labelledby': string; 'aria-describedby'?: string }

/** One choice: its name, what it means, and the control. */
export function Row({
  name,
  isWanted,
  label,
  hint,
  below,
  children,
}: {
  name: string
  /** Somebody asked for it by its name. */
  isWanted: boolean
  label: string
  hint: string | undefined
  /** What is to be said of the choice, under it. */
  below?: ReactNode
  children: (ids: RowIds) => ReactNode
}) {
  const id = useId()
  const place = useWantedPlace<HTMLDivElement>(isWanted)
  return (
    <div
      ref={place}
      data-setting={name}
      aria-current={isWanted || undefined}
      className={cn('flex flex-col gap-2 py-3', isWanted && '-mx-2 rounded-md bg-primary-soft px-2')}
    >
      <div className="flex flex-col gap-2 sm:flex-row sm:items-center sm:gap-6">
        <div className="min-w-0 flex-1">
          <label id={id} htmlFor={`${id}-control`} className="block text-sm font-medium">
            {label}
          </label>
          {hint && (
            <p id={`${id}-hint`} className="text-xs text-muted-foreground">
              {hint}
            </p>
          )}
        </div>
        <div className="w-full sm:w-64">
          {children({
            ...{ id: `${id}-control`, 'aria-labelledby': id },
            ...(hint ? { 'aria-describedby': `${id}-hint` } : {}),
          })}
        </div>
      </div>
      {below}
    </div>
  )
}
