import { useLingui } from '@lingui/react/macro'
import { Calendar } from 'lucide-react'
import { useState } from 'react'
import { dateText } from '../i18n/dates.ts'
import { type Reading, readDay, readMoment, readTime } from '../i18n/typed-date.ts'
import { Button } from './button.tsx'
import { cn } from './cn.ts'
import { DayPicker } from './day-picker.tsx'
import { Field, useFieldLabelId } from './field.tsx'
import { Input, type InputProps } from './input.tsx'
import { toast } from './toaster.tsx'
import { Popover, PopoverContent, PopoverTrigger } from './popover.tsx'

type Typed = Omit<InputProps, 'type' | 'value' | 'onChange' | 'before' | 'after' | 'min' | 'max'> & {
  value: string
  onChange: (value: string) => void
}
type Kind = 'date' | 'datetime-local'

/**
 * A day (`YYYY-MM-DD`), or a moment on this machine's clock (`YYYY-MM-DDTHH:MM`); empty for none. It is typed, read and
 * picked in the language of the screens: the browser's own field speaks the browser's, in which 05/12 may be the 12th
 * of May. Under a finger the system's picker opens, in whose words its owner lives.
 */
export function DateInput({
  type = 'date',
  min,
  max,
  time = '09:00',
  className,
  ...props
}: Typed & {
  type?: Kind
  min?: string | undefined
  max?: string | undefined
  /** What a day means to which no time was added. */
  time?: string
}) {
  const { t, i18n } = useLingui()
  const [byFinger] = useState(() => matchMedia('(pointer: coarse)').matches)
  const [open, setOpen] = useState(false)
  const labelId = useFieldLabelId()
  const { value, onChange, disabled, readOnly } = props
  const hint = type === 'date' ? t`dd/mm/aaaa` : t`dd/mm/aaaa hh:mm`
  const show = (written: string) => {
    const moment = new Date(type === 'date' ? `${written}T00:00` : written)
    if (Number.isNaN(moment.getTime())) return ''
    return type === 'date'
      ? dateText(i18n.locale, moment, 'fullDate')
      : dateText(i18n.locale, moment, 'fullDate', 'time')
  }
  if (byFinger)
    return (
      <span className={cn('relative block', className)}>
        <Input
          {...props}
          type={type}
          min={min}
          max={max}
          onChange={(event) => onChange(event.target.value)}
          className="text-transparent"
        />
        <span
          aria-hidden="true"
          className={cn(
            'pointer-events-none absolute inset-y-0 left-2.5 flex items-center text-base whitespace-nowrap tabular-nums sm:text-sm',
            show(value) ? 'text-foreground' : 'text-muted-foreground/80',
            disabled && 'opacity-60',
          )}
        >
          {show(value) || hint}
        </span>
      </span>
    )
  const day = value.slice(0, 10)
  const clock = value.slice(11, 16) || time
  return (
    <span className={cn('block', className)}>
      <TypedInput
        {...props}
        placeholder={hint}
        show={show}
        read={(text, reading) => (type === 'date' ? readDay(text, reading) : readMoment(text, reading, clock))}
        onKeyDown={(event) => {
          if (!(event.altKey && event.key === 'ArrowDown')) return
          event.preventDefault()
          setOpen(true)
        }}
        after={
          !disabled &&
          !readOnly && (
            <Popover open={open} onOpenChange={setOpen}>
              <PopoverTrigger asChild>
                <Button
                  variant="ghost"
                  size="icon-sm"
                  className="text-muted-foreground"
                  aria-label={t`Escolher no calendário`}
                  // Two of them stand beside each other: each says whose it is.
                  {...(labelId ? { 'aria-describedby': labelId } : { 'aria-description': props['aria-label'] })}
                >
                  <Calendar />
                </Button>
              </PopoverTrigger>
              {/* Not before the popover holds the focus: a dialog around it would take it back. */}
              <PopoverContent
                align="end"
                aria-label={t`Calendário`}
                className="w-auto"
                onOpenAutoFocus={(event) => {
                  event.preventDefault()
                  ;(event.currentTarget as HTMLElement).querySelector<HTMLElement>('[data-day][tabindex="0"]')?.focus()
                }}
              >
                <DayPicker
                  value={day}
                  min={min?.slice(0, 10)}
                  max={max?.slice(0, 10)}
                  onPick={(picked) => {
                    onChange(type === 'date' ? picked : `${picked}T${clock}`)
                    if (type === 'date') setOpen(false)
                  }}
                />
                {type === 'datetime-local' && (
                  <Field label={t`Hora`} className="mt-3">
                    <TimeInput
                      value={clock}
                      disabled={!day}
                      onChange={(at) => at && onChange(`${day}T${at}`)}
                      onKeyDown={(event) => event.key === 'Enter' && setOpen(false)}
                    />
                  </Field>
                )}
              </PopoverContent>
            </Popover>
          )
        }
      />
    </span>
  )
}

/** A time of day, `HH:MM`, on a clock of 24 hours as our languages have it, whatever the browser's has. */
export function TimeInput(props: Typed) {
  const { t } = useLingui()
  return <TypedInput placeholder={t`hh:mm`} {...props} show={(value) => value} read={readTime} />
}

/**
 * What is typed counts as soon as it is whole, and what is left short when the person goes on. What cannot be read then
 * makes way for what held before, so that a field never shows other than what is saved.
 */
function TypedInput({
  value,
  onChange,
  show,
  read,
  onBlur,
  onKeyDown,
  after,
  ...props
}: Typed &
  Pick<InputProps, 'after'> & {
    show: (value: string) => string
    read: (text: string, reading: Reading) => string | null
  }) {
  const { t } = useLingui()
  const [typed, setTyped] = useState<string | null>(null)
  const [wrong, setWrong] = useState(false)
  const take = (text: string, reading: Reading): boolean => {
    const found = text.trim() === '' ? '' : read(text, reading)
    if (found !== null && found !== value) onChange(found)
    return found !== null
  }
  return (
    <Input
      {...props}
      autoComplete="off"
      after={after}
      {...(wrong && { 'aria-invalid': true })}
      value={typed ?? show(value)}
      onChange={(event) => {
        setTyped(event.target.value)
        setWrong(false)
        take(event.target.value, 'whole')
      }}
      onBlur={(event) => {
        // What no calendar has is refused aloud: the field shows what held before, and whoever typed looks elsewhere.
        if (typed !== null && !take(typed, 'left')) toast.error(t`“${typed}” não existe: o campo ficou como estava.`)
        setTyped(null)
        setWrong(false)
        onBlur?.(event)
      }}
      onKeyDown={(event) => {
        // Enter would save the form with what held before.
        if (event.key === 'Enter' && typed !== null && !take(typed, 'left')) {
          event.preventDefault()
          setWrong(true)
        }
        onKeyDown?.(event)
      }}
    />
  )
}
