import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileFailures } from '../../schema/flows/flows.run.ts'
import { guardCodes } from '../../schema/rules/rules.ask.ts'
import { plainTexts } from '../../tests/support/lingui.ts'

await plainTexts()
const { failureWords } = await import('../flows/flow-runs.words.ts')
const { ruleWords, stepName, stepSentence } = await import('./automation.words.ts')

const root = join(import.meta.dir, '..', '..')
const source = (path: string) => readFileSync(join(root, path), 'utf8')
/** The codes among the words of an expression; what is compared with an empty text is none. */
const codesIn = (expression: string) => [...expression.matchAll(/'(\w+)'/g)].map(([, code]) => code!)

/** Every step with every why that the rules, the flows and the bots elsewhere can write down. */
function everyCode(): Set<string> {
  const found = new Set<string>()
  const add = (step: string, why: string) => void found.add(`${step}.${why}`)
  const decide = source('schema/automation/automation.decide.ts')

  // matched(c, 'menu', 'shown', …), and through the helpers that are told the step.
  const noted = [...decide.matchAll(/\b(matched|passed|blocked)\(c, (\w+|'\w+'), ([^\n]*)\n/g)]
  // Beside the three functions themselves nothing calls them in another way.
  const calls = decide.match(/\b(?:matched|passed|blocked)\(c/g)!.length
  expect(noted.length).toBe(calls - 3)
  const helpers: Record<string, string[]> = {}
  for (const { 2: step = '', 3: rest = '', index } of noted) {
    const whys = rest.startsWith("'")
      ? codesIn(rest.split(/[,)]/)[0]!)
      : rest.startsWith('silent')
        ? codesIn([...whole(decide, 'function whySilent').matchAll(/return '\w+'/g)].join())
        : codesIn(rest.replace(/^[^?]*\?/, '').split(/[,)]/)[0]!)
    expect(whys).not.toBeEmpty()
    if (step.startsWith("'")) for (const why of whys) add(step.slice(1, -1), why)
    else {
      const helper = [...decide.slice(0, index).matchAll(/^function (\w+)/gm)].at(-1)![1]!
      ;(helpers[helper] ??= []).push(...whys)
    }
  }
  for (const [helper, whys] of Object.entries(helpers)) {
    const steps = [...decide.matchAll(new RegExp(`\\b${helper}\\(c, '(\\w+)'`, 'g'))].map(([, step]) => step!)
    expect(steps).not.toBeEmpty()
    // Only an integration can be a flow.
    for (const step of steps) for (const why of whys) if (why !== 'no_flow' || !step.endsWith('_prompt')) add(step, why)
  }
  for (const [, step, rest] of decide.matchAll(/steps\.push\(\{ step: '(\w+)',[^\n]*why: ([^\n]*)/g))
    for (const why of codesIn(rest!.replace(/^[^?]*\?/, ''))) add(step!, why)

  const turn = source('schema/automation/automation.turn.ts')
  const returned = whole(turn, 'function whyOf').replaceAll(/[!=]== '\w+'/g, '')
  for (const [, expression] of returned.matchAll(/return ([^\n]*(?:\n {4,}[^\n]*)*)/g))
    for (const why of codesIn(expression!)) add('flow', why)
  for (const why of codesIn(/const notUnderstood = .*\n.*/.exec(turn)![0])) add('flow', why)
  const left = whole(turn, 'function leaveToPeople')
  for (const [, step, why] of left.matchAll(/step: '(\w+)',[^\n]*why: '(\w+)'/g)) add(step!, why!)
  const hindered = codesIn(whole(turn, 'function whyNotBegun')).filter((code) => code.startsWith('asked_'))
  expect(hindered.length).toBeGreaterThan(3)
  // Whoever asks for a flow is named by the effect.
  for (const why of [...hindered, 'asked_by_person', 'asked_by_rule']) add('flow', why)

  const effects = source('server/automation/automation.effects.ts')
  const answered = codesIn(/why: failure \? .*/.exec(effects)![0])
  const reasons = codesIn(/type BotFailureReason =[^}]*?\n\n/.exec(source('server/bots/bots.answer.ts'))![0])
  expect(reasons.length).toBeGreaterThan(5)
  for (const step of ['prompt', 'integration'])
    for (const why of [...answered, ...reasons.map((reason) => `failed_${reason}`)]) add(step, why)
  for (const why of ['done', 'unmet', 'refused', ...guardCodes]) add('rule', `rule_${why}`)
  return found
}

/** A function's text, to the brace that ends it. */
function whole(text: string, begins: string): string {
  const from = text.slice(text.indexOf(begins))
  return from.slice(0, from.indexOf('\n}'))
}

test('every rule has a name, and every way in which it can end a sentence', () => {
  const codes = everyCode()
  for (const one of ['menu.shown', 'may_answer.agent', 'queue_hours.told_already', 'queue_integration.no_flow'])
    expect(codes).toContain(one)
  for (const one of ['silence.no_rule', 'flow.time', 'prompt.answered', 'options.ended', 'queue_greeting.no_greeting'])
    expect(codes).toContain(one)
  expect(codes.size).toBeGreaterThan(80)
  const known = new Set(
    Object.entries(ruleWords).flatMap(([step, { whys }]) => Object.keys(whys).map((why) => `${step}.${why}`)),
  )
  expect([...codes].filter((code) => !known.has(code)).sort()).toEqual([])
  // And no words for what cannot be.
  expect([...known].filter((code) => !codes.has(code)).sort()).toEqual([])
})

test('every reason for which a bot gives no answer has words', () => {
  const known = codesIn(/type BotFailureReason =[^}]*?\n\n/.exec(source('server/bots/bots.answer.ts'))![0])
  const effects = source('server/automation/automation.effects.ts')
  const ours = [...effects.matchAll(/return fail\('(\w+)'/g)].map(([, code]) => code!)
  expect(ours).toContain('gone')
  expect(Object.keys(failureWords)).toEqual(expect.arrayContaining([...known, ...ours, ...fileFailures]))
})

test('a code of a newer server reads as a plain sentence', () => {
  for (const result of ['matched', 'passed', 'blocked'] as const)
    for (const step of ['fortune_teller', 'menu', 'constructor', '__proto__'])
      for (const why of ['by_the_stars', 'toString']) {
        const said = stepSentence({ step, result, why }).message!
        expect(said).toMatch(/^[A-Z].* .*\.$/)
        expect(said).not.toContain(why)
      }
  expect(stepName({ step: 'fortune_teller' }).message).toBe('Outra regra')
})
