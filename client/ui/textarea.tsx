import { useLayoutEffect, useRef } from 'react'
import type { ComponentProps } from 'react'
import { cn } from './cn.ts'
import { useFieldControl } from './field.tsx'
import { controlClasses } from './input.tsx'

const sizesItself = typeof CSS !== 'undefined' && CSS.supports('field-sizing', 'content')

const height = (rows: number) => `calc(${rows}lh + 0.75rem + 2px)`

/**
 * A text area. With `maxRows` it grows with its text up to that many rows, then scrolls;
 * without it, it has `rows` and can be dragged larger.
 */
export function Textarea({
  className,
  maxRows,
  rows = maxRows ? 1 : 3,
  ref,
  ...props
}: ComponentProps<'textarea'> & { maxRows?: number }) {
  const field = useFieldControl()
  const own = useRef<HTMLTextAreaElement | null>(null)

  // The script measures twice for each change of the text, so it is only for browsers that cannot do it themselves.
  useLayoutEffect(() => {
    const element = own.current
    if (!element || !maxRows || sizesItself) return
    const fit = () => {
      const style = getComputedStyle(element)
      const extra = element.offsetHeight - element.clientHeight
      const padding = parseFloat(style.paddingTop) + parseFloat(style.paddingBottom)
      element.style.height = '0'
      const wanted = element.scrollHeight
      const limit = parseFloat(style.lineHeight) * maxRows + padding
      element.style.height = `${Math.min(wanted, limit) + extra}px`
      element.style.overflowY = wanted > limit ? 'auto' : 'hidden'
    }
    fit()
    element.addEventListener('input', fit)
    return () => element.removeEventListener('input', fit)
  }, [maxRows, props.value])

  return (
    <textarea
      {...field}
      data-autofocus={props.autoFocus || undefined}
      dir="auto"
      ref={(element) => {
        own.current = element
        if (typeof ref === 'function') return ref(element)
        if (ref) ref.current = element
        return undefined
      }}
      rows={rows}
      className={cn(
        controlClasses,
        'py-1.5 leading-normal read-only:bg-muted',
        maxRows ? 'field-sizing-content resize-none' : 'resize-y',
        className,
      )}
      {...props}
      style={
        maxRows && sizesItself
          ? // Sized by its content, a field no longer heeds `rows`. To them come padding and border.
            { maxHeight: height(maxRows), ...(rows > 1 && { minHeight: height(rows) }), ...props.style }
          : props.style
      }
    />
  )
}
