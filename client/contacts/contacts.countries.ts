import { type CallingCode, callingCodes } from '../../schema/contacts/contacts.phone.ts'

/** Countries by their calling codes, as a person reads them: Brazil first, the others by name. */
export function countryOptions(locale: string): { value: CallingCode; label: string }[] {
  const names = new Intl.DisplayNames(locale, { type: 'region' })
  const [home, ...others] = callingCodes.map(({ code, country }) => ({ code, name: names.of(country) ?? country }))
  return [home!, ...others.toSorted((a, b) => a.name.localeCompare(b.name, locale))].map(({ code, name }) => ({
    value: code,
    label: `${name} (+${code})`,
  }))
}
