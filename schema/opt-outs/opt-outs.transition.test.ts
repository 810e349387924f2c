import { expect, test } from 'bun:test'
import type { OptOut } from './opt-outs.table.ts'
import {
  beginOptOuts,
  endOptOuts,
  type OptingOut,
  type OptOutEvent,
  optOutAfter,
  lidOf,
  optOutKey,
  optOutTransitions,
  standingOf,
} from './opt-outs.transition.ts'

const at = (day: number) => new Date(Date.UTC(2026, 10, day, 12))
const maria: OptingOut = { number: '5511987654321', lid: '77@lid', source: 'word', text: 'SAIR', messageId: 'W1' }
const revoke: OptOutEvent = { type: 'revoke', userId: 3, reason: 'Pediu por telefone' }
const goBack: OptOutEvent = { type: 'return', wid: 'W2', text: 'VOLTAR' }

let lastId = 0
/** The rows that begin, as the database would hold them. */
const begun = (people: readonly OptingOut[], noted: readonly OptOut[] = [], now = at(1)): OptOut[] => {
  const keys = new Set(noted.filter((row) => standingOf(row) === 'active').map(({ key }) => key))
  const ids = people.map(() => ++lastId)
  return beginOptOuts(2, people, keys, ids, now).rows.flatMap((row) =>
    'where' in row || row.table !== 'optOuts' || row.op !== 'insert'
      ? []
      : [{ revokedAt: null, revokedBy: null, revokedMessageId: null, reason: null, ...row.values } as OptOut],
  )
}
const ended = (row: OptOut, event: OptOutEvent, now = at(2)): OptOut => endOptOuts([row], event, now).ended[0] ?? row

test('[OO1] the table names every event of what counts and of what is revoked', () => {
  for (const standing of ['active', 'revoked'] as const)
    expect(Object.keys(optOutTransitions[standing]).sort()).toEqual(['resume', 'return', 'revoke'])
})

test('[OO2, OO4] taken back by a colleague it says who, by the person which message, and nothing undoes that', () => {
  const [row] = begun([maria])
  const byColleague = ended(row!, revoke)
  expect(byColleague).toMatchObject({ revokedAt: at(2), revokedBy: 3, revokedMessageId: null, reason: revoke.reason })
  const byPerson = ended(row!, goBack)
  expect(byPerson).toMatchObject({ revokedAt: at(2), revokedBy: null, revokedMessageId: 'W2', reason: 'VOLTAR' })
  for (const revoked of [byColleague, byPerson])
    for (const event of [revoke, goBack]) {
      expect(optOutAfter(revoked, event, at(3))).toBeNull()
      expect(endOptOuts([revoked], event, at(3))).toMatchObject({ decision: { rows: [] }, ended: [] })
    }
})

test('[OO3] a number in another spelling is the same person, and one without a number is known by the LID', () => {
  const [row] = begun([maria])
  expect(begun([{ ...maria, number: '551187654321', source: 'hand', text: '' }], [row!])).toEqual([])
  expect(begun([maria, { ...maria, number: '551187654321' }]).map(({ number }) => number)).toEqual([maria.number])
  expect(optOutKey({ number: null, lid: '77@lid' })).toBe('lid:77@lid')
  expect(begun([{ ...maria, number: '' }])[0]).toMatchObject({ number: '', key: 'lid:77@lid' })
  // Of two who hide their number and have no LID, one has opted out.
  expect([1, 2].map((id) => lidOf({ id, number: null, lid: null }))).toEqual(['1', '2'])
  expect(lidOf({ id: 1, number: '5511987654321', lid: null })).toBeNull()
})

test('[OO5] a text is cut to its length, and no sign in two', () => {
  const long = `${'a'.repeat(299)}🙂`
  const [row] = begun([{ ...maria, text: long }])
  expect(row!.text).toBe('a'.repeat(299))
  expect(ended(row!, { ...goBack, text: long }).reason).toBe('a'.repeat(299))
})

test('[OO1, OO2, OO3, OO4] random lives: one at most counts for each person, and what is revoked stays', () => {
  // A generator of its own, so that a failure is the same each time.
  let seed = 20261129
  const next = (below: number) => {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff
    return (seed >>> 8) % below
  }
  const spellings = ['5511987654321', '551187654321', '5521998765432', '']
  const sizes = new Set<number>()
  for (let life = 0; life < 1000; life++) {
    let rows: OptOut[] = []
    for (let step = 1; step <= 12; step++) {
      const now = at(step)
      const before = rows
      if (next(2) === 0) {
        const people = Array.from({ length: 1 + next(3) }, () => ({ ...maria, number: spellings[next(4)]! }))
        rows = [...rows, ...begun(people, rows, now)]
      } else {
        const event = next(2) === 0 ? revoke : goBack
        const which = rows.filter(() => next(2) === 0)
        const { ended: over } = endOptOuts(which, event, now)
        rows = rows.map((row) => over.find(({ id }) => id === row.id) ?? row)
      }
      for (const was of before) {
        const row = rows.find(({ id }) => id === was.id)!
        if (standingOf(was) === 'revoked') expect(row).toEqual(was)
        const said = ({ id, companyId, key, source, text, messageId, createdAt }: OptOut) => [
          ...[id, companyId, key, source, text, messageId, createdAt],
        ]
        expect(said(row)).toEqual(said(was))
      }
      for (const row of rows) {
        const isRevoked = standingOf(row) === 'revoked'
        expect([row.revokedBy, row.revokedMessageId].filter((by) => by !== null)).toHaveLength(isRevoked ? 1 : 0)
        expect(row.reason !== null).toBe(isRevoked)
      }
      const active = rows.filter((row) => standingOf(row) === 'active').map(({ key }) => key)
      expect(new Set(active).size).toBe(active.length)
    }
    sizes.add(rows.length)
  }
  expect(sizes.size).toBeGreaterThan(3)
})
