import { useLingui } from '@lingui/react/macro'
import { useMemo } from 'react'
import { zoneText } from '../i18n/dates.ts'
import { Combobox } from '../ui/combobox.tsx'
import type { CommandItem } from '../ui/command.tsx'

/** Every zone that this browser knows, and the one that is stored, which may be newer than the browser. */
const zonesWith = (stored: string | null): string[] =>
  [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', ...(stored ? [stored] : [])])].sort()

/** Kept by language: there are hundreds of zones. */
const known = new Map<string, Map<string, CommandItem>>()

function itemOf(timeZone: string, locale: string): CommandItem {
  let items = known.get(locale)
  if (!items) known.set(locale, (items = new Map()))
  let item = items.get(timeZone)
  if (!item) {
    // `America/Sao_Paulo` is found by its place, and by what people there call their time.
    item = {
      id: timeZone,
      label: timeZone.replaceAll('_', ' '),
      keywords: zoneText(timeZone, locale, 'longGeneric'),
      hint: zoneText(timeZone, locale, 'shortOffset'),
    }
    items.set(timeZone, item)
  }
  return item
}

/** A time zone, found by its name, its place or what its time is called. */
export function ZonePicker({
  value,
  onChange,
  ...control
}: {
  value: string | null
  onChange: (timeZone: string) => void
  disabled?: boolean
  id?: string
  'aria-labelledby'?: string
  'aria-describedby'?: string
}) {
  const { t, i18n } = useLingui()
  const options = useMemo(() => zonesWith(value).map((zone) => itemOf(zone, i18n.locale)), [value, i18n.locale])
  return (
    <Combobox
      {...control}
      value={value}
      onChange={(zone) => zone !== null && zone !== value && onChange(zone)}
      options={options}
      searchPlaceholder={t`Cidade ou fuso horário`}
    />
  )
}
