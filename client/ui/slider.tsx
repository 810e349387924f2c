import { Slider as SliderPrimitive } from 'radix-ui'
import type { ComponentProps } from 'react'
import { cn } from './cn.ts'

/** One thumb per value. The thumb takes the slider's `aria-label`, since it is what holds the focus. */
export function Slider({ className, 'aria-label': label, ...props }: ComponentProps<typeof SliderPrimitive.Root>) {
  const values = props.value ?? props.defaultValue ?? [props.min ?? 0]
  return (
    <SliderPrimitive.Root
      className={cn(
        'relative flex h-5 w-full touch-none items-center select-none data-[disabled]:opacity-50 touch:h-11',
        className,
      )}
      {...props}
    >
      <SliderPrimitive.Track className="relative h-1 grow overflow-hidden rounded-full bg-input">
        <SliderPrimitive.Range className="absolute h-full bg-primary" />
      </SliderPrimitive.Track>
      {values.map((_, index) => (
        <SliderPrimitive.Thumb
          key={index}
          aria-label={label}
          className="focus-ring block size-3.5 rounded-full border-2 border-primary bg-card shadow-sm transition-transform hover:scale-110"
        />
      ))}
    </SliderPrimitive.Root>
  )
}
