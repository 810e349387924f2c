import { Plural, useLingui } from '@lingui/react/macro'
import { ListChecks, Paperclip, Zap } from 'lucide-react'
import { useId, useMemo, useState } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'
import { findMacros, type MacroRow, ownMacros } from '../macros/macros.rows.ts'
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
 * Suggests replies and macros while the text begins with `/`, with the values of this conversation: up and down choose, Enter or Tab takes, Escape hides.
 */
export function useQuickReplies(
  text: string,
  fill: (text: string) => string,
  onPick: (reply: QuickReply) => void,
  onMacro: (macro: MacroRow) => void,
): QuickReplySuggestions {
  const { t } = useLingui()
  const id = useId()
  const query = quickQuery(text)
  const { rows } = useRows(query === null ? null : quickReplies)
  const { rows: macros } = useRows(query === null ? null : ownMacros)
  const [chosen, setChosen] = useState<{ text: string; index: number } | null>(null)
  const [hiddenFor, setHiddenFor] = useState<string | null>(null)
  const replies = useMemo(() => (query === null || !rows ? [] : findQuickReplies(rows, query)), [rows, query])
  const foundMacros = useMemo(() => (query === null || !macros ? [] : findMacros(macros, query)), [macros, query])
  const found: readonly (QuickReply | MacroRow)[] = [...replies, ...foundMacros]
  const pick = (one: QuickReply | MacroRow) => (isMacro(one) ? onMacro(one) : onPick(one))
  const open = found.length > 0 && hiddenFor !== text
  const active = chosen?.text === text ? Math.min(chosen.index, found.length - 1) : 0
  const optionId = (index: number) => `${id}-${index}`
  const move = (by: number) => setChosen({ text, index: (active + by + found.length) % found.length })

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
        {open &&
          (foundMacros.length === 0 ? (
            <Plural value={found.length} one="# resposta rápida" other="# respostas rápidas" />
          ) : (
            <Plural value={found.length} one="# sugestão" other="# sugestões" />
          ))}
      </p>
      {open && (
        <div
          id={id}
          role="listbox"
          aria-label={foundMacros.length === 0 ? t`Respostas rápidas` : t`Respostas rápidas e macros`}
          className="absolute inset-x-2 bottom-full z-30 mb-1 max-h-72 overflow-y-auto rounded-lg border bg-popover p-1 text-popover-foreground shadow-overlay sm:right-auto sm:left-3 sm:w-md"
        >
          {found.map((one, index) => (
            <div
              key={isMacro(one) ? `m${one.id}` : one.id}
              id={optionId(index)}
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              data-active={index === active}
              className={itemClasses}
              onPointerMove={() => index !== active && setChosen({ text, index })}
              // The field keeps the focus.
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => pick(one)}
              onKeyDown={() => undefined}
            >
              {isMacro(one) ? (
                <MacroLine macro={one} />
              ) : (
                <ReplyLine reply={one} active={index === active} fill={fill} />
              )}
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

const isMacro = (one: QuickReply | MacroRow): one is MacroRow => 'actions' in one

function MacroLine({ macro }: { macro: MacroRow }) {
  return (
    <>
      <ListChecks aria-hidden="true" />
      <span className="min-w-0 flex-1 truncate">{macro.name}</span>
      <span className="shrink-0 text-xs text-muted-foreground">
        <Plural value={macro.actions.length} one="macro, # ação" other="macro, # ações" />
      </span>
    </>
  )
}

function ReplyLine({ reply, active, fill }: { reply: QuickReply; active: boolean; fill: (text: string) => string }) {
  const { t } = useLingui()
  return (
    <>
      <Zap aria-hidden="true" className={active ? 'self-start' : undefined} />
      <span className="min-w-0 flex-1">
        {active ? (
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
    </>
  )
}
