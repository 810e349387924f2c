import { useLingui } from '@lingui/react/macro'
import { dateText } from '../i18n/dates.ts'
import { cn } from './cn.ts'
import { Input, type InputProps } from './input.tsx'

const looks = { date: 'fullDate', 'datetime-local': 'moment' } as const

/**
 * A day, or a moment on this machine's clock, as the language of the screens writes it. The browser writes it as its
 * own language does, which is seen only while it is being changed.
 */
export function DateInput({
  type = 'date',
  value,
  className,
  ...props
}: Omit<InputProps, 'type' | 'value' | 'before' | 'after'> & { type?: keyof typeof looks; value: string }) {
  const { i18n } = useLingui()
  const moment = new Date(type === 'date' ? `${value}T00:00` : value)
  const known = !Number.isNaN(moment.getTime())
  return (
    <span className={cn('relative block', className)}>
      <Input {...props} type={type} value={value} className={cn('peer', known && 'not-focus:text-transparent')} />
      {known && (
        <span
          aria-hidden="true"
          className="pointer-events-none absolute inset-y-0 left-2.5 flex items-center text-base text-foreground tabular-nums peer-focus:hidden peer-disabled:opacity-60 sm:text-sm"
        >
          {dateText(i18n.locale, moment, looks[type])}
        </span>
      )}
    </span>
  )
}
