import { expect, test } from 'bun:test'
import { assignTickets, type Candidate, traceOf } from '../../schema/assignment/assignment.decide.ts'
import type { AssignmentRule } from '../../schema/queues/queues.table.ts'
import { plainTexts } from '../../tests/support/lingui.ts'

await plainTexts()
const { assignedWords } = await import('./automation.assigned.words.ts')

const now = new Date('2026-11-30T12:00:00Z')
const names = new Map([
  [1, 'Ana'],
  [2, 'Bruno'],
  [3, 'Carla'],
  [4, 'Davi'],
  [5, 'Elisa'],
])
const person = (id: number, more: Partial<Candidate> = {}): Candidate => ({
  ...{ id, capacity: 5, skillIds: [], open: 0 },
  ...{ online: true, lastSeenAt: now, awayAt: null, awayUntil: null, ...more },
})

/** What the timeline keeps of a real choice, in words. */
function told(rule: AssignmentRule, people: Candidate[], lastAgentId: number | null = null) {
  const since = new Date(now.getTime() - 65 * 60_000)
  const seeking = { id: 9, tagIds: [7], since, lastAgentId, gaveBack: [5], heldBy: null }
  const queue = { id: 1, assignment: rule, lastAgentFirst: true, whenAway: 'keep' } as const
  const [choice] = assignTickets({ queue, people, seeking: [seeking], turn: null }, now).choices
  const { sentences, passed, unnamed } = assignedWords(
    traceOf(choice!, seeking, names.get(choice!.userId!) ?? '', now),
    (id) => names.get(id),
  )
  return {
    sentences,
    passed: passed.map(({ words, names: those }) => `${words}: ${those.join(', ')}`),
    unnamed,
  }
}

test('why a queue gave a ticket to somebody is said by its rule, and of the others what kept them from it', () => {
  const people = [
    person(1, { open: 3 }),
    person(2, { awayAt: now }),
    person(3, { online: false }),
    person(4, { open: 5 }),
    person(5),
  ]
  expect(told('leastBusy', people)).toEqual({
    sentences: [
      'O atendimento esperou 1 h 05 min na fila.',
      'A fila entrega a quem tem menos atendimentos abertos, e era Ana.',
      'Atendimentos abertos de Ana nesse momento: 3, de no máximo 5.',
    ],
    passed: [
      'Em ausência: Bruno',
      'Sem o sistema aberto: Carla',
      'Já teve este atendimento e o devolveu ou passou adiante: Elisa',
      'No limite de atendimentos: Davi',
    ],
    unnamed: 0,
  })
})

test('each rule has its sentence, and who is gone since is counted and not named', () => {
  expect(told('roundRobin', [person(1)]).sentences[1]).toBe('A fila entrega em rodízio, e era a vez de Ana.')
  const known = told('skill', [person(1, { skillIds: [7], capacity: null }), person(2)])
  expect(known.sentences.slice(1)).toEqual([
    'A fila entrega a quem conhece as etiquetas do atendimento, e era Ana.',
    'Atendimentos abertos de Ana nesse momento: 0.',
  ])
  expect(known.passed).toEqual(['Conhece menos as etiquetas do atendimento: Bruno'])
  expect(told('roundRobin', [person(1), person(2)], 2).sentences[1]).toBe('Bruno atendeu este contato da última vez.')
  expect(told('roundRobin', [person(1), person(99, { online: false })])).toMatchObject({ passed: [], unnamed: 1 })
})

test('a ticket of somebody who went away says so in place of a wait', () => {
  const { sentences } = assignedWords({ user: 'Ana', from: 'Bruno', rule: 'roundRobin', waitedSeconds: 5 }, () => '')
  expect(sentences[0]).toBe('Bruno estava com o atendimento e se ausentou.')
})
