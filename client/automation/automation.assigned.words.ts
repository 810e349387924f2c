import { t } from '@lingui/core/macro'
import { type PassedWhy, readPassed } from '../../schema/assignment/assignment.decide.ts'
import type { AssignedRow } from './automation.assigned.rows.ts'

/** Why a queue gave a ticket to somebody: sentences in their order, and who was passed over, by reason. */
export interface AssignedWords {
  sentences: string[]
  passed: { why: PassedWhy; words: string; names: string[] }[]
  /** So many more were passed over than the line keeps. */
  unnamed: number
}

/** The reasons in the order in which the choice asks them. */
const passedWords = (): Record<PassedWhy, string> => ({
  away: t`Em ausência`,
  offline: t`Sem o sistema aberto`,
  gaveBack: t`Já teve este atendimento e o devolveu ou passou adiante`,
  lacksSkill: t`Conhece menos as etiquetas do atendimento`,
  full: t`No limite de atendimentos`,
})

/**
 * @param data of a line `assigned` of the timeline, as `traceOf` wrote it; what it lacks is not said
 * @param nameOf undefined for who is gone
 */
export function assignedWords(data: AssignedRow['data'], nameOf: (id: number) => string | undefined): AssignedWords {
  const { user, load, capacity, waitedSeconds, from } = data
  const name = String(user ?? '')
  const sentences: string[] = []
  if (typeof from === 'string') sentences.push(t`${from} estava com o atendimento e se ausentou.`)
  else if (typeof waitedSeconds === 'number') {
    const time = waited(waitedSeconds)
    sentences.push(t`O atendimento esperou ${time} na fila.`)
  }
  const rule = ruleWords(data['rule'], name)
  if (rule) sentences.push(rule)
  if (typeof load === 'number')
    sentences.push(
      typeof capacity === 'number'
        ? t`Atendimentos abertos de ${name} nesse momento: ${load}, de no máximo ${capacity}.`
        : t`Atendimentos abertos de ${name} nesse momento: ${load}.`,
    )
  const out = readPassed(data['passed'])
  const passed = (Object.entries(passedWords()) as [PassedWhy, string][]).flatMap(([why, words]) => {
    const those = out.filter((one) => one.why === why)
    // Who is gone has no name any more, and is counted with those whom the line has no room for.
    const names = those.flatMap(({ userId }) => nameOf(userId) ?? [])
    return names.length > 0 ? [{ why, words, names }] : []
  })
  const named = passed.reduce((sum, { names }) => sum + names.length, 0)
  return { sentences, passed, unnamed: Math.max(0, (Number(data['passedOver']) || 0) - named) }
}

function ruleWords(rule: unknown, name: string): string | undefined {
  switch (rule) {
    case 'roundRobin':
      return t`A fila entrega em rodízio, e era a vez de ${name}.`
    case 'leastBusy':
      return t`A fila entrega a quem tem menos atendimentos abertos, e era ${name}.`
    case 'skill':
      return t`A fila entrega a quem conhece as etiquetas do atendimento, e era ${name}.`
    case 'lastAgent':
      return t`${name} atendeu este contato da última vez.`
    default:
      return undefined
  }
}

/** `40 s`, `12 min`, `1 h 05 min`. */
function waited(seconds: number): string {
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`
}
