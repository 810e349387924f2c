import { parseAllowed } from '../outside/addresses.ts'
import { createOutside } from '../outside/outside.ts'
import type { BotAnswer, BotConversation, BotFailure } from './bots.answer.ts'
import { isFailure } from './bots.answer.ts'
import type { BotDeps } from './bots.call.ts'

/** What adapters need, with the services of this machine admitted and no waiting. */
export function botDeps(bases: NonNullable<BotDeps['bases']> = {}) {
  const clock = { now: new Date('2026-11-22T12:00:00Z') }
  const slept: number[] = []
  const deps: BotDeps = {
    outside: createOutside({ allow: [parseAllowed('127.0.0.1')] }),
    now: () => clock.now,
    sleep: async (ms) => void slept.push(ms),
    bases,
  }
  return { deps, clock, slept }
}

/** A contact who wrote that. */
export const saying = (text: string, more: Partial<BotConversation> = {}): BotConversation => ({
  ticket: { id: 7, uuid: '0193b4a0-0000-7000-8000-000000000001' },
  contact: { id: 3, name: 'Maria Lima', number: '5511999990001', email: 'maria@example.test' },
  connection: { id: 1, name: 'Balcão' },
  queue: { id: 2, name: 'Vendas' },
  history: [],
  message: { id: 'M1', type: 'text', text },
  ...more,
})

/** The answer, in a test that expects one. */
export function answerIn(result: BotAnswer | BotFailure): BotAnswer {
  if (isFailure(result)) throw new Error(`${result.why}: ${result.says}`)
  return result
}

export const textsOf = ({ messages }: BotAnswer): string[] =>
  messages.map((message) =>
    'text' in message ? message.text : 'mediaUrl' in message ? `${message.type} ${message.mediaUrl}` : 'voice',
  )
