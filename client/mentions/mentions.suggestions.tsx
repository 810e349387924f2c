import { Plural, useLingui } from '@lingui/react/macro'
import { AtSign, UsersRound } from 'lucide-react'
import { useId, useState } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'
import type { NoteMention } from '../../schema/notes/notes.table.ts'
import { useQueues, useUsers } from '../replica/directory.ts'
import { usePrincipal } from '../session/session.tsx'
import { itemClasses } from '../ui/panel.ts'
import { calledBefore, findCalled } from './mentions.called.ts'

export interface MentionSuggestions {
  /** The list, to stand above the field; nothing where nothing is suggested. */
  list: ReactNode
  /** For the field, which keeps the focus. */
  field: { 'aria-autocomplete': 'list'; 'aria-controls'?: string; 'aria-activedescendant'?: string }
  /** Takes a key of the field; true when it was for the list. */
  onKey: (event: KeyboardEvent) => boolean
}

/** On a phone the field stands low in its sheet, and the list below what is in sight. */
const showWhole = (list: HTMLElement | null) => list?.scrollIntoView({ block: 'nearest' })

/** Suggests people and queues while a name is written behind an `@`: up and down choose, Enter or Tab takes, Escape hides. */
export function useMentions(
  text: string,
  caret: number,
  onPick: (mention: NoteMention, from: number) => void,
): MentionSuggestions {
  const { t } = useLingui()
  const id = useId()
  const { userId } = usePrincipal()
  const [users, queues] = [useUsers(), useQueues()]
  const [chosen, setChosen] = useState<{ text: string; index: number } | null>(null)
  const [hiddenFor, setHiddenFor] = useState<string | null>(null)
  const called = calledBefore(text, caret)
  const query = called?.query ?? null
  const found = query === null ? [] : findCalled({ users: users.list, queues: queues.list, ownId: userId }, query)
  const open = found.length > 0 && hiddenFor !== text
  const active = chosen?.text === text ? Math.min(chosen.index, found.length - 1) : 0
  const optionId = (index: number) => `${id}-${index}`
  const move = (by: number) => setChosen({ text, index: (active + by + found.length) % found.length })
  const pick = (mention: NoteMention) => called && onPick(mention, called.from)

  const onKey = (event: KeyboardEvent): boolean => {
    if (!open || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return false
    const picked = found[active]
    if (event.key === 'ArrowDown') move(1)
    else if (event.key === 'ArrowUp') move(-1)
    else if ((event.key === 'Enter' || event.key === 'Tab') && picked) pick(picked)
    else if (event.key === 'Escape') setHiddenFor(text)
    else return false
    event.preventDefault()
    event.stopPropagation()
    return true
  }
  const list = (
    <>
      <p role="status" className="sr-only">
        {open && <Plural value={found.length} one="# sugestão" other="# sugestões" />}
      </p>
      {open && (
        <div
          id={id}
          ref={showWhole}
          role="listbox"
          aria-label={t`Chamar pessoa ou fila`}
          className="rounded-lg border bg-popover p-1 text-popover-foreground shadow-overlay"
        >
          {found.map((mention, index) => (
            <div
              key={`${mention.kind} ${mention.id}`}
              id={optionId(index)}
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              data-active={index === active}
              className={itemClasses}
              onPointerMove={() => index !== active && setChosen({ text, index })}
              // The field keeps the focus.
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => pick(mention)}
              onKeyDown={() => undefined}
            >
              {mention.kind === 'queue' ? <UsersRound aria-hidden="true" /> : <AtSign aria-hidden="true" />}
              <span className="min-w-0 flex-1 truncate">{mention.name}</span>
              {mention.kind === 'queue' && <span className="text-xs text-muted-foreground">{t`Fila`}</span>}
            </div>
          ))}
        </div>
      )}
    </>
  )
  return {
    list,
    field: {
      'aria-autocomplete': 'list',
      ...(open && { 'aria-controls': id, 'aria-activedescendant': optionId(active) }),
    },
    onKey,
  }
}
