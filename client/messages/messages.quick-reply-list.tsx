import { Plural, useLingui } from '@lingui/react/macro'
import { Paperclip, Zap } from 'lucide-react'
import { useId, useMemo, useState } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'
import { useRows } from '../replica/live-rows.ts'
import { itemClasses } from '../ui/panel.ts'
import { findQuickReplies, quickLabel, quickQuery, quickReplies, type QuickReply } from './messages.quick-replies.ts'

export interface QuickReplySuggestions {
  /** The list, to stand above the field; nothing where nothing is suggested. */
  list: ReactNode
  /** For the field, which keeps the focus. */
  field: { 'aria-autocomplete': 'list'; 'aria-controls'?: string; 'aria-activedescendant'?: string }
  /** Takes a key of the field; true when it was for the list. */
  onKey: (event: KeyboardEvent) => boolean
}

/**
 * Suggests replies while the text begins with `/`, with the values of this conversation: up and down choose, Enter or Tab takes, Escape hides.
 */
export function useQuickReplies(
  text: string,
  fill: (text: string) => string,
  onPick: (reply: QuickReply) => void,
): QuickReplySuggestions {
  const { t } = useLingui()
  const id = useId()
  const query = quickQuery(text)
  const { rows } = useRows(query === null ? null : quickReplies)
  const [chosen, setChosen] = useState<{ text: string; index: number } | null>(null)
  const [hiddenFor, setHiddenFor] = useState<string | null>(null)
  const found = useMemo(() => (query === null || !rows ? [] : findQuickReplies(rows, query)), [rows, query])
  const open = found.length > 0 && hiddenFor !== text
  const active = chosen?.text === text ? Math.min(chosen.index, found.length - 1) : 0
  const optionId = (index: number) => `${id}-${index}`
  const move = (by: number) => setChosen({ text, index: (active + by + found.length) % found.length })

  const onKey = (event: KeyboardEvent): boolean => {
    if (!open || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return false
    const picked = found[active]
    if (event.key === 'ArrowDown') move(1)
    else if (event.key === 'ArrowUp') move(-1)
    else if ((event.key === 'Enter' || event.key === 'Tab') && picked) onPick(picked)
    else if (event.key === 'Escape') setHiddenFor(text)
    else return false
    event.preventDefault()
    event.stopPropagation()
    return true
  }
  const list = (
    <>
      <p role="status" className="sr-only">
        {open && <Plural value={found.length} one="# resposta rápida" other="# respostas rápidas" />}
      </p>
      {open && (
        <div
          id={id}
          role="listbox"
          aria-label={t`Respostas rápidas`}
          className="absolute inset-x-2 bottom-full z-30 mb-1 max-h-72 overflow-y-auto rounded-lg border bg-popover p-1 text-popover-foreground shadow-overlay sm:right-auto sm:left-3 sm:w-md"
        >
          {found.map((reply, index) => (
            <div
              key={reply.id}
              id={optionId(index)}
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              data-active={index === active}
              className={itemClasses}
              onPointerMove={() => index !== active && setChosen({ text, index })}
              // The field keeps the focus.
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => onPick(reply)}
              onKeyDown={() => undefined}
            >
              <Zap aria-hidden="true" className={index === active ? 'self-start' : undefined} />
              <span className="min-w-0 flex-1">
                {index === active ? (
                  // As the contact would read it, before anything is sent.
                  <>
                    <span className="block truncate font-medium">{reply.shortcode}</span>
                    <span dir="auto" className="line-clamp-4 text-xs wrap-anywhere whitespace-pre-wrap">
                      {fill(reply.message)}
                    </span>
                  </>
                ) : (
                  <span className="block truncate">{quickLabel({ ...reply, message: fill(reply.message) })}</span>
                )}
              </span>
              {reply.mediaPath && <Paperclip role="img" aria-label={t`com arquivo`} className="size-3.5" />}
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
