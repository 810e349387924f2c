import { plain } from '../../schema/plain.ts'
import type { NoteMention } from '../../schema/notes/notes.table.ts'

const mostShown = 6

/** What stands behind the last `@` before the caret; null where nobody is being called. */
export function calledBefore(text: string, caret: number): { from: number; query: string } | null {
  const found = /(?:^|\s)@([^@\n]{0,40})$/.exec(text.slice(0, caret))
  return found ? { from: caret - found[1]!.length - 1, query: plain(found[1]!) } : null
}

type Named = { id: number; name: string }

/** Whom one may call. */
interface Callable {
  users: readonly Named[]
  queues: readonly Named[]
  /** Nobody calls themselves. */
  ownId: number
}

/** Names of which a word begins with the query, those first that begin with it themselves; at most six. */
export function findCalled({ users, queues, ownId }: Callable, query: string): NoteMention[] {
  const all = [
    ...users.filter(({ id }) => id !== ownId).map(({ id, name }) => ({ kind: 'user' as const, id, name })),
    ...queues.map(({ id, name }) => ({ kind: 'queue' as const, id, name })),
  ]
  const begins = ({ name }: NoteMention) => (plain(name).startsWith(query) ? 0 : 1)
  return all
    .filter((one) => begins(one) === 0 || plain(one.name).includes(` ${query}`))
    .toSorted((one, other) => begins(one) - begins(other))
    .slice(0, mostShown)
}
