import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { contactHint, useContactLabel } from '../kit/contact-label.ts'
import { Combobox } from '../ui/combobox.tsx'
import type { CommandItem } from '../ui/command.tsx'
import { Field } from '../ui/field.tsx'
import type { FoundContact } from './contacts.rows.ts'
import { searchFrom } from './contacts.search.ts'

/** One contact out of those that a search finds. */
export function ContactPicker({
  label,
  contact,
  onPick,
  query,
  onSearch,
  found,
  searching,
  more = [],
  placeholder,
  disabled = false,
  autoFocus = false,
  error,
}: {
  /** What it is for, where it is not the form’s contact. */
  label?: string
  contact: FoundContact | null
  /** Hears the contact, or the id of an item of `more`. */
  onPick: (picked: FoundContact | string | null) => void
  query: string
  onSearch: (query: string) => void
  /** What `useContactSearch` answers. */
  found: readonly FoundContact[]
  searching: boolean
  /** Items after the contacts. */
  more?: readonly CommandItem[]
  placeholder?: string
  disabled?: boolean
  autoFocus?: boolean
  error: ReactNode
}) {
  const { t } = useLingui()
  const labelOf = useContactLabel()
  // The chosen one stays in the list whatever is searched for now.
  const shown = [...(contact && !found.some((one) => one.id === contact.id) ? [contact] : []), ...found]
  return (
    <Field label={label ?? t`Contato`} required={label === undefined} error={error}>
      <Combobox
        value={contact ? String(contact.id) : null}
        onChange={(id) => {
          const picked = shown.find((one) => String(one.id) === id)
          // The search has done its work: another one begins anew.
          if (picked) onSearch('')
          onPick(picked ?? id)
        }}
        // What was typed and has found nobody is still there.
        placeholder={placeholder ?? (query.trim() || t`Nome ou número`)}
        searchPlaceholder={t`Nome ou número`}
        query={query}
        onSearch={onSearch}
        loading={searching}
        disabled={disabled}
        autoFocus={autoFocus}
        empty={query.trim().length < searchFrom ? t`Digite ao menos 3 caracteres` : t`Nenhum contato encontrado`}
        options={[
          ...shown.map((one) => ({
            id: String(one.id),
            label: labelOf(one),
            hint: contactHint(one),
          })),
          ...more,
        ]}
      />
    </Field>
  )
}
