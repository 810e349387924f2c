import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { ContactPicker } from '../contacts/contacts.picker.tsx'
import type { FoundContact } from '../contacts/contacts.rows.ts'
import { useContactSearch } from '../contacts/contacts.search.ts'
import { errorText } from '../session/error-text.ts'
import { useFetched } from '../session/fetched.ts'
import type { Preview } from './campaigns.queries.ts'
import { useReasonWords, WithoutValue } from './campaigns.words.tsx'

/** What somebody would get, word for word: the function that sends it says so. */
export function ContactPreview({ campaignId }: { campaignId: number }) {
  const { t } = useLingui()
  const words = useReasonWords()
  const [contact, setContact] = useState<FoundContact | null>(null)
  const [query, setQuery] = useState('')
  const { found, searching } = useContactSearch(query)
  const { data, error } = useFetched<Preview>(
    contact ? `/campaigns/${campaignId}/preview` : null,
    contact ? { contactId: contact.id } : undefined,
  )
  return (
    <div className="flex flex-col gap-2">
      <ContactPicker
        label={t`Ver como um contato receberia`}
        contact={contact}
        onPick={(picked) => typeof picked !== 'string' && setContact(picked)}
        query={query}
        onSearch={setQuery}
        found={found}
        searching={searching}
        error={error && errorText(error)}
      />
      {data && (
        <div className="rounded-lg border bg-muted/40 p-3 text-sm" aria-live="polite">
          {data.skipReason && <p className="mb-1 text-warning-soft-foreground">{words(data.skipReason)}</p>}
          {data.confirmation && <p className="mb-2 break-words whitespace-pre-wrap">{data.confirmation}</p>}
          <p className="break-words whitespace-pre-wrap">{data.body}</p>
          <WithoutValue names={data.missing} />
        </div>
      )}
    </div>
  )
}
