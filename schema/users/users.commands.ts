import { command } from '../command.ts'
import { DomainError } from '../errors.ts'
import { DAY_MS } from '../durations.ts'
import { marksAway } from '../permissions.ts'
import { away } from './users.inputs.ts'

/** Nobody is away for longer by the clock; without an end, for as long as they like. */
const LONGEST_MS = 92 * DAY_MS

export const userCommands = {
  /** Says that one takes no conversations for a while, or does again. Of colleagues supervisors and admins say it. */
  'users.setAway': command({
    name: 'users.setAway',
    needs: null,
    input: away,
    facts: async ({ userId }, read, who) => {
      if (userId !== undefined && userId !== who.userId && !marksAway(who)) throw new DomainError('ERR_NO_PERMISSION')
      return read.need('users', userId ?? who.userId)
    },
    decide: (input, user, { now }) => {
      const until = input.away && input.until != null ? new Date(input.until) : null
      // A moment that has passed on the way here: they are back already.
      const isOver = until !== null && until <= now
      if (until !== null && until.getTime() - now.getTime() > LONGEST_MS)
        throw new DomainError('ERR_VALIDATION', { fields: [{ path: '/until', message: 'within three months' }] })
      const isOff = input.away && !isOver
      const values = {
        awayAt: isOff ? (user.awayAt ?? now) : null,
        awayUntil: isOff ? until : null,
      }
      return { rows: [{ table: 'users', op: 'update', ids: [user.id], values }], effects: [] }
    },
  }),
}
