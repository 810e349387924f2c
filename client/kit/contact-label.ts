import { useLingui } from '@lingui/react/macro'
import { useCallback } from 'react'
import { phoneText } from './phone-text.ts'

interface Named {
  name: string
  number: string | null
  username?: string | null
}

/** How a contact is called where they are listed: somebody may have neither a name nor a number that is known. */
export function useContactLabel() {
  const { t } = useLingui()
  return useCallback(
    ({ name, number, username }: Named) =>
      name || phoneText(number) || (username ? `@${username}` : t`Contato sem nome`),
    [t],
  )
}

/** What stands beside the name: the number, else what they call themselves on WhatsApp. */
export const contactHint = ({ number, username }: Omit<Named, 'name'>): string =>
  phoneText(number) || (username ? `@${username}` : '')
