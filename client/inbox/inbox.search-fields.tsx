import { useLingui } from '@lingui/react/macro'
import { Search, X } from 'lucide-react'
import { useEffect } from 'react'
import type { RefObject } from 'react'
import { can } from '../../schema/permissions.ts'
import { usePrincipal } from '../session/session.tsx'
import { Button } from '../ui/button.tsx'
import { MultiCombobox } from '../ui/combobox.tsx'
import { Input } from '../ui/input.tsx'
import { useTags, useUsers } from '../replica/directory.ts'
import { wantRow } from '../tickets/tickets.row-focus.ts'
import type { TicketSearch } from '../tickets/tickets.search.ts'
import { isComposing } from '../base/is-composing.ts'

/** What is looked for: text, tags and, for admins, users. */
export default function SearchFields({
  search,
  fieldRef,
  onText,
  onChange,
}: {
  search: TicketSearch
  fieldRef: RefObject<HTMLInputElement | null>
  onText: (text: string) => void
  onChange: (search: TicketSearch) => void
}) {
  const { t } = useLingui()
  const who = usePrincipal()
  const tags = useTags()
  const users = useUsers()
  // What was looked for before is still there: whoever looks for something else writes over it.
  useEffect(() => fieldRef.current?.select(), [fieldRef])
  return (
    <div className="flex flex-col gap-2 border-b px-3 py-2.5" role="search">
      <Input
        ref={fieldRef}
        type="search"
        autoFocus
        value={search.text}
        placeholder={t`Nome, número ou mensagem`}
        aria-label={t`Buscar atendimentos`}
        before={<Search />}
        after={
          search.text !== '' && (
            <Button
              variant="ghost"
              size="icon-sm"
              aria-label={t`Limpar a busca`}
              onClick={() => onText('')}
              className="text-muted-foreground"
            >
              <X />
            </Button>
          )
        }
        onChange={(event) => onText(event.target.value)}
        onKeyDown={(event) => {
          if (isComposing(event.nativeEvent) || !['Escape', 'ArrowDown', 'Enter'].includes(event.key)) return
          // On Escape the browser would empty the field, and the results would be gone.
          event.preventDefault()
          event.currentTarget.blur()
          wantRow({ to: 'list' })
        }}
      />
      <div className="flex gap-2">
        <MultiCombobox
          aria-label={t`Filtrar por etiquetas`}
          placeholder={t`Etiquetas`}
          options={tags.list.map((tag) => ({ id: String(tag.id), label: tag.name }))}
          values={search.tagIds.map(String)}
          onChange={(ids) => onChange({ ...search, tagIds: ids.map(Number) })}
        />
        {can(who, 'tickets:spy') && (
          <MultiCombobox
            aria-label={t`Filtrar por usuários`}
            placeholder={t`Usuários`}
            options={users.list.map((user) => ({ id: String(user.id), label: user.name }))}
            values={search.userIds.map(String)}
            onChange={(ids) => onChange({ ...search, userIds: ids.map(Number) })}
          />
        )}
      </div>
    </div>
  )
}
