import { useLingui } from '@lingui/react/macro'
import { Search, X } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Input } from '../ui/input.tsx'
import { useSettled } from '../base/use-settled.ts'

const delayMs = 500

/** What is typed above a list, and what is searched for: the same in small letters, once the typing rests. */
export function useSearchText() {
  const [search, setSearch] = useState('')
  return { search, setSearch, settled: useSettled(search.trim().toLowerCase(), delayMs) }
}

/** A search field above a list. `label` says what is searched. */
export function SearchInput({
  value,
  onChange,
  label,
}: {
  value: string
  onChange: (value: string) => void
  label: string
}) {
  const { t } = useLingui()
  return (
    <div role="search" className="w-full sm:w-72">
      <Input
        type="text"
        inputMode="search"
        autoComplete="off"
        spellCheck={false}
        aria-label={label}
        placeholder={label}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || !value) return
          event.stopPropagation()
          onChange('')
        }}
        before={<Search />}
        after={
          value && (
            <Button variant="ghost" size="icon-sm" aria-label={t`Limpar a busca`} onClick={() => onChange('')}>
              <X />
            </Button>
          )
        }
      />
    </div>
  )
}
