import { useEffect, useRef } from 'react'
import type { FocusEvent } from 'react'
import { firstControl } from '../base/first-control.ts'
import { isFocusLost } from '../base/focus-lost.ts'

/** The element that is called a row's by `data-row`. */
const rowOf = (element: Element) => element.closest<HTMLElement>('[data-row]')
const controlsOf = (row: Element) => [...row.querySelectorAll<HTMLElement>('a[href], button, input')]

/**
 * Where the row that the keyboard was in leaves a list, the same control of the row in its place takes it over; where none
 * is left, what the screen offers first.
 * @returns what the element needs that holds the rows, each with its id as `data-row`
 */
export function useKeptFocus(data: readonly { id: number | string }[] | undefined) {
  const held = useRef<{ id: string; at: number; control: number } | null>(null)
  const list = useRef<HTMLElement | null>(null)
  const onFocus = ({ target, currentTarget }: FocusEvent<HTMLElement>) => {
    const row = rowOf(target)
    if (!row) return
    const rows = [...currentTarget.querySelectorAll('[data-row]')]
    held.current = { id: row.dataset['row'] ?? '', at: rows.indexOf(row), control: controlsOf(row).indexOf(target) }
  }
  useEffect(() => {
    const was = held.current
    if (!was || !data || data.some(({ id }) => String(id) === was.id)) return
    held.current = null
    if (!isFocusLost()) return
    const rows = [...(list.current?.querySelectorAll('[data-row]') ?? [])]
    const row = rows[Math.min(was.at, rows.length - 1)]
    if (row) return (controlsOf(row)[was.control] ?? controlsOf(row)[0])?.focus()
    const content = document.getElementById('content')
    if (content) firstControl(content)?.focus()
  }, [data])
  return {
    list: (element: HTMLElement | null) => {
      list.current = element
    },
    onFocus,
  }
}
