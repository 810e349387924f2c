import { plain } from '../../schema/plain.ts'
import { columnsOf, type RowOf } from '../replica/columns.ts'
import type { Rows } from '../replica/rows.ts'

const reply = columnsOf<'quickMessages'>()({
  id: true,
  companyId: false,
  userId: false,
  shortcode: true,
  message: true,
  isGeneral: true,
  status: false,
  mediaPath: true,
  mediaName: true,
  mediaMime: true,
  mediaSize: false,
  createdAt: false,
  updatedAt: false,
})
/** A reply kept under a short name. */
export type QuickReply = RowOf<typeof reply>

/** Own ones and the company's general ones: the replica holds no others. */
export const quickReplies: Rows<QuickReply> = {
  query: {
    sql: `SELECT ${reply.text()} FROM quick_messages WHERE status ORDER BY shortcode, "isGeneral", id`,
    tables: ['quick_messages'],
  },
  read: reply.read,
  keyOf: (row) => row.id,
}

const mostShown = 8
const longestLabel = 35

/** What is looked for: the text after the `/` that it begins with; null where nothing is. */
export const quickQuery = (text: string): string | null =>
  text.length > 1 && text.startsWith('/') && !text.includes('\n') ? plain(text.slice(1)).trim() : null

/** Short names that begin with the query, then those that hold it, then texts that do. */
export function findQuickReplies(replies: readonly QuickReply[], query: string): readonly QuickReply[] {
  const rank = ({ shortcode, message }: QuickReply) => {
    const name = plain(shortcode)
    return name.startsWith(query) ? 0 : name.includes(query) ? 1 : plain(message).includes(query) ? 2 : 3
  }
  return replies
    .map((reply) => ({ reply, rank: rank(reply) }))
    .filter((ranked) => ranked.rank < 3)
    .sort((a, b) => a.rank - b.rank)
    .slice(0, mostShown)
    .map(({ reply }) => reply)
}

/** Name and text in one line of at most 35 characters. */
export function quickLabel({ shortcode, message }: Pick<QuickReply, 'shortcode' | 'message'>): string {
  const letters = [...`${shortcode} – ${message.replace(/\s+/g, ' ').trim()}`]
  return letters.length <= longestLabel ? letters.join('') : `${letters.slice(0, longestLabel - 1).join('')}…`
}
