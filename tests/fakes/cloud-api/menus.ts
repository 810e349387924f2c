/** Menus that are pressed: what the service takes, and what it tells of a press. */
import { GraphRefusal } from './wire.ts'

type Json = Record<string, unknown>

interface Button {
  reply: { id: string; title: string }
}
interface Row {
  id: string
  title: string
  description?: string
}
const buttonsIn = (menu: Json) => ((menu['action'] as Json)['buttons'] ?? []) as Button[]
const rowsIn = (menu: Json) =>
  (((menu['action'] as Json)['sections'] ?? []) as { rows: Row[] }[]).flatMap(({ rows }) => rows)

/** @throws GraphRefusal where it is larger than the service takes */
export function demandMenu(menu: Json): void {
  const body = String((menu['body'] as Json | undefined)?.['text'] ?? '')
  const refuse = (what: string): never => {
    throw new GraphRefusal(131_009, 400, what)
  }
  const isWithin = (text: string, most: number) => text.length > 0 && text.length <= most
  if (menu['type'] === 'button') {
    const titles = buttonsIn(menu).map(({ reply }) => reply.title)
    if (!isWithin(body, 1_024) || titles.length < 1 || titles.length > 3) refuse('buttons')
    if (new Set(titles).size < titles.length) refuse('two buttons of one title')
    for (const { reply } of buttonsIn(menu))
      if (!isWithin(reply.title, 20) || !isWithin(reply.id, 256)) refuse('button')
  } else if (menu['type'] === 'list') {
    const rows = rowsIn(menu)
    if (!isWithin(body, 4_096) || rows.length < 1 || rows.length > 10) refuse('rows')
    if (!isWithin(String((menu['action'] as Json)['button']), 20)) refuse('button of the list')
    if (new Set(rows.map(({ id }) => id)).size < rows.length) refuse('two rows of one id')
    for (const { id, title, description = ' ' } of rows)
      if (!isWithin(id, 200) || !isWithin(title, 24) || !isWithin(description, 72)) refuse('row')
  }
}

/** What is told of the choice on which this stands. */
export function pressOf(menu: Json, title: string): Json {
  const button = buttonsIn(menu).find(({ reply }) => reply.title === title)
  if (button) return { type: 'button_reply', button_reply: button.reply }
  const row = rowsIn(menu).find((one) => one.title === title || one.description === title)
  if (!row) throw new Error(`nothing there says ${title}`)
  return { type: 'list_reply', list_reply: row }
}
