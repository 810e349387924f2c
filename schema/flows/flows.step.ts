import { Budget, LOOKUP_LETTERS, OverBudget } from '../budget.ts'
import { isOpen } from '../hours/hours.open.ts'
import { placeholderValue, replacePlaceholders } from '../placeholders/placeholders.ts'
import { mediaTypeOf } from '../messages/messages.content.ts'
import { TEXT_LENGTH } from '../messages/messages.text.ts'
import {
  fileKindOf,
  missingValues,
  type TemplateAbout,
  templateAbout,
  templateText,
  type TemplateValues,
} from '../templates/templates.parts.ts'
import { stopOf } from '../templates/templates.state.ts'
import { clip, legible } from '../texts.ts'
import { isTimeZone } from '../wall.ts'
import { chosenOf } from '../choices.ts'
import { type Answer, dateText, readAnswer } from './flows.answers.ts'
import {
  bareName,
  casePort,
  exitOf,
  type FlowGraph,
  type FlowNode,
  type FlowNodeOf,
  NEXT,
  nodesById,
  type Operator,
  operatorOfCode,
  optionPort,
  SECRET,
  START_ID,
  variablesOf,
} from './flows.graph.ts'
import type { FlowRule, NodeData, NodeType } from './flows.inputs.ts'
import { isOneOf, type LeavingWords, usualLeaving } from './flows.leaving.ts'
import { inAddress, inBody, inUrl, oneLine } from './flows.request.ts'
import { compare, compareAny } from './flows.rules.ts'
import {
  AI_WAIT_MS,
  draw,
  type EndReason,
  type FetchedFile,
  FILE_WAIT_MS,
  type FlowContext,
  type FlowDone,
  type FlowEffect,
  type FlowEvent,
  type FlowFacts,
  type FlowGraphs,
  type FlowResult,
  type FlowRun,
  type FlowStep,
  type FlowTemplate,
  type FlowWait,
  HTTP_WAIT_MS,
  MENU_REPEATS,
  MOST_CALLS,
  MOST_SENDS,
  MOST_STEPS,
  MOST_TYPING_MS,
  MOST_VISITS,
  type SecretText,
  type SentFile,
  type TrailEntry,
  TYPEBOT_WAIT_MS,
} from './flows.run.ts'
import { choicesOf, type Offer, offerOf } from '../messages/messages.offer.ts'
import { flowWords, type Guard } from './flows.words.ts'

/** Bytes of all variables together as JSON, of the last text, and of what is gathered: so a run stays small. */
const VARIABLES_BYTES = 18_000
const LAST_TEXT_BYTES = 3_000
const GATHERED_BYTES = 6_000
/** Of a typebot's next answers, beside which its session is kept. */
const NEXT_ANSWERS_BYTES = 2_500
const MOST_VARIABLES = 100
/** Names of those that are cut, as a run keeps them; of more it keeps that any may be. */
const MOST_CUT = 20
const ANY = '*'
/** Messages that make one answer. */
const MOST_GATHERED = 10

/**
 * What an event makes of a run. Pure, and defined for every graph, run and event: it never throws, the run that is
 * given stays as it is, and afterwards the run waits or has ended. What is too late, or meant for another wait, changes
 * nothing. The server runs it in the event's transaction, the test panel in the browser.
 */
export function step(graphs: FlowGraphs, run: FlowRun, event: FlowEvent, context: FlowContext): FlowStep {
  const walk = new Walk(graphs, run, context)
  if (!run.ended) walk.happen(event)
  return { run: walk.run, effects: walk.effects, trail: walk.trail, done: walk.done }
}

/** Where to go next. */
interface Move {
  to: string
  from: string | null
  port: string | null
  why: TrailEntry['why']
}

/** One event's work on a copy of the run. */
class Walk {
  run: FlowRun
  readonly effects: FlowEffect[] = []
  readonly trail: TrailEntry[] = []
  readonly done: FlowDone[] = []
  private facts: FlowFacts
  private readonly now: number
  private visited = 0
  /** Number of the last message of this event. */
  private lastSend: number | null = null
  private ownVars = false
  /** A variable was filled in of which the end is missing. */
  private isCut = false
  /** What this event may still fill in and compare. */
  private readonly budget: Budget

  constructor(
    private readonly graphs: FlowGraphs,
    private readonly before: FlowRun,
    private readonly context: FlowContext,
  ) {
    this.run = before
    this.facts = context.facts
    this.now = context.now.getTime()
    this.budget = context.budget ?? new Budget()
  }

  happen(event: FlowEvent): void {
    try {
      this.work(event)
    } catch (error) {
      if (!(error instanceof OverBudget)) throw error
      this.guard('tooMuchText')
    }
  }

  private work(event: FlowEvent): void {
    const { node, wait } = this.before
    if (event.kind === 'started') {
      if (node === null) this.start(event)
      return
    }
    if (node === null) return
    if (event.kind === 'message') this.hear(event)
    else if (event.kind === 'timer') this.wake(event.waitId)
    else if (event.kind === 'result') this.finishJob(event.waitId, event.result)
    else if (event.kind === 'left') {
      if (wait === null || wait.after !== event.n || wait.until === null) return
      const until = Math.max(wait.until, event.at + wait.lasts)
      if (until !== wait.until && Number.isFinite(until)) this.run = { ...this.before, wait: { ...wait, until } }
    } else if (event.kind === 'sendFailed' || event.kind === 'stoodStill') {
      this.open()
      this.give({ kind: 'takeBack' })
      this.guard(event.kind)
    } else {
      this.open()
      this.give({ kind: 'takeBack' })
      this.end(event.kind)
    }
  }

  // ── what can happen ──────────────────────────────────────────────────────────────────────────────────────────────

  private start({ at, text, id }: Extract<FlowEvent, { kind: 'started' }>): void {
    this.open()
    if (text !== undefined) this.run.lastText = clipBytes(legible(text), LAST_TEXT_BYTES)
    if (id !== undefined) this.run.heard = [id]
    const graph = this.graph()
    const to = at ?? (graph && startOf(graph))
    if (to == null || !graph || !nodesById(graph).has(to)) this.guard('broken')
    else this.go({ to, from: null, port: null, why: 'started' })
  }

  private hear({ text, file, id }: Extract<FlowEvent, { kind: 'message' }>): void {
    this.open()
    const said = clipBytes(legible(text), LAST_TEXT_BYTES)
    this.run.lastText = said
    this.run.sends = 0
    const wait = this.run.wait
    const leaves = this.leavesBy(said, wait)
    if (leaves) {
      this.give({ kind: 'takeBack' })
      this.give(leaves === 'menu' ? { kind: 'leave', to: 'menu' } : { kind: 'close' })
      this.end('stopped')
      return
    }
    // What is gathered, and what is written while a model thinks, is one answer with what came before.
    const before = wait && wait.gathered.length > 0 ? (this.run.heard ?? []) : []
    if (id !== undefined) this.run.heard = [...before, id].slice(-MOST_GATHERED)
    const node = this.node()
    if (!node) return this.guard('broken')
    if (!wait) return
    const answer: Answer = { text: said, file: file ?? null }
    if (wait.kind === 'reply') {
      const gather = node.type === 'question' || node.type === 'ai' ? node.data.gatherSeconds : 0
      if (gather > 0 && !file) {
        this.waitFor('gather', gather * 1_000, { tries: wait.tries, gathered: [said], after: null })
      } else this.answer(node, answer, wait)
    } else if (wait.kind === 'gather') {
      const gathered = [...wait.gathered, said]
      if (file || gathered.length >= MOST_GATHERED) {
        this.answer(node, { text: join(gathered), file: file ?? null }, wait)
      } else {
        const gather = node.type === 'question' || node.type === 'ai' ? node.data.gatherSeconds : 0
        this.run.wait = { ...wait, gathered: bounded(gathered), until: this.now + gather * 1_000 }
      }
    } else if (wait.kind === 'timer') {
      if (node.type === 'interval' && this.target(node, 'reply') !== null) this.go(this.follow(node, 'reply'))
    } else if (node.type === 'ai' && node.data.talk && wait.gathered.length < MOST_GATHERED) {
      // Written while the model thinks: its next turn.
      this.run.wait = { ...wait, gathered: bounded([...wait.gathered, said]) }
    } else if (node.type === 'typebot') {
      if (wait.gathered.length < MOST_GATHERED) {
        // Each is an answer of its own, behind the one that is under way.
        this.run.wait = { ...wait, gathered: bounded([...wait.gathered, said], NEXT_ANSWERS_BYTES) }
      } else this.run.heard = before
    }
  }

  /** Where a word of the company leads out of the flow; null for any other. What the menu offers that is asked is its option. */
  private leavesBy(said: string, wait: FlowWait | null): keyof LeavingWords | null {
    const { leaving = usualLeaving } = this.facts
    const to = isOneOf(leaving.menu, said) ? 'menu' : isOneOf(leaving.stop, said) ? 'stop' : null
    if (to === null || wait?.kind !== 'reply') return to
    const node = this.node()
    return node?.type === 'menu' && chosenOf(node.data.options, said) !== null ? null : to
  }

  private wake(waitId: number): void {
    const wait = this.before.wait
    if (!wait || wait.id !== waitId || wait.until === null || this.now < wait.until) return
    this.open()
    const node = this.node()
    if (!node) this.guard('broken')
    else if (wait.kind === 'gather') this.answer(node, { text: join(wait.gathered), file: null }, wait)
    else if (wait.kind === 'job') this.failJob(node, 'timeout')
    else if (wait.kind === 'timer') {
      this.run.wait = null
      this.go(node.type === 'singleBlock' ? this.sayBlock(node, this.run.part) : this.follow(node, NEXT))
    } else {
      if (node.type === 'menu' || node.type === 'question') this.say(node.data.timeoutMessage)
      if (!this.run.ended) this.leaveBy(node, 'timeout', 'silence')
    }
  }

  private finishJob(waitId: number, result: FlowResult): void {
    const wait = this.before.wait
    if (!wait || wait.id !== waitId || wait.kind !== 'job') return
    const node = this.node()
    if (!node || node.type !== result.kind) return
    this.open()
    this.run.wait = null
    if (node.type === 'http' && result.kind === 'http') this.finishHttp(node, result)
    else if (node.type === 'file' && result.kind === 'file') this.finishFile(node, result)
    else if (node.type === 'ai' && result.kind === 'ai') this.finishTalk(node, result, wait)
    else if (node.type === 'typebot' && result.kind === 'typebot') this.finishTypebot(node, result, wait)
  }

  private finishHttp(node: FlowNodeOf<'http'>, { ok, status, body }: Extract<FlowResult, { kind: 'http' }>): void {
    this.keep(node.data.saveStatusAs, ok ? String(status) : '')
    if (!ok || !(status >= 200 && status < 300)) return this.leaveBy(node, 'error', 'error')
    const found = node.data.saves.map(({ path, saveAs, required }) => ({ saveAs, required, value: pick(body, path) }))
    if (found.some(({ required, value }) => required && value.trim() === ''))
      return this.leaveBy(node, 'error', 'error')
    for (const { saveAs, value } of found) this.keep(saveAs, value)
    this.go(this.follow(node, 'success'))
  }

  private finishFile(node: FlowNodeOf<'file'>, result: Extract<FlowResult, { kind: 'file' }>): void {
    if (!result.ok) return this.leaveBy(node, 'error', 'error')
    this.sendFetched(result.file, this.fill(node.data.caption))
    if (!this.run.ended) this.go(this.follow(node, 'success'))
  }

  private sendFetched({ path, name, mimetype, size }: FetchedFile, caption: string, typingMs?: number): void {
    const type = mediaTypeOf(mimetype)
    const file: SentFile = {
      ...{ kind: type === 'image' || type === 'video' || type === 'audio' ? type : 'document', file: path, name },
      fetched: { mimetype, size },
    }
    // Phones show no words beside a sound.
    if (file.kind === 'audio') {
      this.send('', file, undefined, typingMs)
      this.send(caption)
    } else this.send(caption, file, undefined, typingMs)
  }

  private finishTypebot(
    node: FlowNodeOf<'typebot'>,
    result: Extract<FlowResult, { kind: 'typebot' }>,
    wait: FlowWait,
  ): void {
    if (!result.ok) return this.failJob(node, result.why)
    for (const { body, file, typingMs } of result.said) {
      if (file) this.sendFetched(file, body, typingMs)
      else this.send(body, undefined, undefined, typingMs)
      if (this.run.ended) return
    }
    const { transferTo, userId, session } = result
    if (transferTo !== undefined || userId !== undefined) {
      if (transferTo == null && userId === undefined) return this.leave('pending', 'queue')
      if (transferTo != null) this.give({ kind: 'toQueue', queueId: transferTo })
      if (userId !== undefined) this.give({ kind: 'toAgent', userId })
      return this.end(userId === undefined ? 'queue' : 'agent')
    }
    if (session == null) return this.go(this.follow(node, 'success'))
    const [text, ...rest] = wait.gathered
    if (text === undefined) this.waitFor('reply', node.data.timeoutSeconds * 1_000, { session })
    else {
      // By their ids they are known where each of them has one.
      const { heard = [] } = this.run
      const [id, ...others] = heard.length === wait.gathered.length ? heard : []
      this.run.heard = others
      this.askTypebot(node, text, { heard: id === undefined ? [] : [id], session, next: rest })
    }
  }

  private finishTalk(
    node: FlowNodeOf<'ai'>,
    { ok, text, done, transferTo, reason, why }: Extract<FlowResult, { kind: 'ai' }>,
    wait: FlowWait,
  ): void {
    if (!ok) return this.failJob(node, why ?? '')
    this.keep(node.data.saveAs, text)
    if (node.data.say) this.send(text)
    if (this.run.ended) return
    if (transferTo !== undefined) {
      const words = flowWords(this.facts.language)
      // Who is handed over hears of it, whether the model found words for it or not.
      if (!node.data.say || text.trim() === '') this.send(words.handOver)
      if (this.run.ended) return
      if (reason?.trim())
        this.give({ kind: 'note', text: clip(`${words.transferred} ${legible(reason)}`, 1_000), guard: null })
      if (transferTo === null) return this.leave('pending', 'queue')
      this.give({ kind: 'toQueue', queueId: transferTo })
      return this.end('queue')
    }
    if (!node.data.talk || done || wait.tries >= node.data.turns) return this.go(this.follow(node, 'success'))
    if (wait.gathered.length > 0) this.ask(node, join(wait.gathered), wait.tries + 1)
    else this.waitFor('reply', node.data.timeoutSeconds * 1_000, { tries: wait.tries })
  }

  /**
   * A call without a good end: the way for that, or people. Of an assistant or a typebot, which the contact talks to, they
   * are told why; after an assistant in the queue in which its conversations go on.
   */
  private failJob(node: FlowNode, why: string): void {
    const isTalk = node.type === 'ai' || node.type === 'typebot'
    if (!isTalk || this.target(node, 'error') !== null) return this.leaveBy(node, 'error', 'error')
    this.run.wait = null
    const words = flowWords(this.facts.language)
    this.send(words.handOver)
    if (this.run.ended) return
    if (node.type === 'typebot') {
      this.give({ kind: 'note', text: words.typebotFailed(why), guard: null })
      return this.leave('pending', 'error')
    }
    this.give({ kind: 'note', text: words.assistantFailed(why), guard: null })
    const { promptId } = node.data
    const queues = this.facts.promptQueues ?? {}
    if (promptId === null || !Object.hasOwn(queues, promptId)) return this.leave('pending', 'error')
    this.give({ kind: 'toQueue', queueId: queues[promptId]! })
    this.end('error')
  }

  /** What the contact answered to what was asked. */
  private answer(node: FlowNode, answer: Answer, wait: FlowWait): void {
    this.run.wait = null
    if (node.type === 'menu') {
      const option = chosenOf(node.data.options, answer.text)
      if (option !== null) return this.go(this.follow(node, optionPort(option)))
      if (wait.tries >= MENU_REPEATS) return this.giveUp(node)
      const words = node.data.invalidMessage.trim() || flowWords(this.facts.language).option
      this.sayMenu(node, this.fill(words))
      this.waitFor('reply', node.data.timeoutSeconds * 1_000, { tries: wait.tries + 1 })
    } else if (node.type === 'question') {
      const { language, timeZone } = this.facts
      const { kind, saveAs, invalidMessage, tries, timeoutSeconds } = node.data
      const found = readAnswer(kind, answer, { language, timeZone, now: this.context.now })
      if (found !== null) {
        this.keep(saveAs, kind === 'date' ? dateText(found) : found)
        if (saveAs && kind === 'date') this.keep(`${saveAs}_iso`, found)
        if (saveAs && answer.file) this.keep(`${saveAs}_id`, answer.file.messageId)
        return this.go(this.follow(node, NEXT))
      }
      if (wait.tries + 1 >= tries) return this.giveUp(node)
      this.send(this.fill(invalidMessage.trim() || flowWords(language).answer[kind]))
      this.waitFor('reply', timeoutSeconds * 1_000, { tries: wait.tries + 1 })
    } else if (node.type === 'ai') this.ask(node, answer.text, wait.tries + 1)
    else if (node.type === 'typebot') {
      this.askTypebot(node, answer.text, { heard: this.run.heard ?? [], session: wait.session, next: [] })
    } else this.guard('broken')
  }

  /** Too many wrong answers: the way for that, or people. */
  private giveUp(node: FlowNode): void {
    if (this.target(node, 'invalid') === null) this.send(flowWords(this.facts.language).handOver)
    if (!this.run.ended) this.leaveBy(node, 'invalid', 'invalid')
  }

  // ── walking ──────────────────────────────────────────────────────────────────────────────────────────────────────

  private go(move: Move | null): void {
    let next = move
    while (next !== null && !this.run.ended) next = this.enter(next)
    if (!this.run.ended && !this.run.wait) this.leave('nowhere', 'done')
  }

  private enter({ to, from, port, why }: Move): Move | null {
    const graph = this.graph()
    const node = graph && nodesById(graph).get(to)
    if (!node) {
      this.guard('broken')
      return null
    }
    if (++this.visited > MOST_VISITS || ++this.run.visits > MOST_STEPS) {
      this.guard(this.visited > MOST_VISITS ? 'tooManyVisits' : 'tooManySteps')
      return null
    }
    this.run.node = to
    this.run.part = 0
    this.isCut = false
    this.run.wait = null
    this.trail.push({ version: this.run.version, node: to, from, port, why })
    return (doings[node.type] as (walk: Walk, node: FlowNode) => Move | null)(this, node)
  }

  /** Where a port leads; behind a called flow, back to who called it; null where everything ends. */
  follow(node: FlowNode, port: string): Move | null {
    const to = this.target(node, port)
    if (to !== null) return { to, from: node.id, port, why: 'exit' }
    while (this.run.stack.length > 0) {
      const caller = this.run.stack.at(-1)!
      this.run.stack = this.run.stack.slice(0, -1)
      this.run.version = caller.version
      const graph = this.graph()
      const call = graph && nodesById(graph).get(caller.node)
      if (!call) {
        this.guard('broken')
        return null
      }
      const after = this.target(call, NEXT)
      if (after !== null) return { to: after, from: call.id, port: NEXT, why: 'returned' }
    }
    return null
  }

  private target(node: FlowNode, port: string): string | null {
    const to = exitOf(node, port)
    const graph = this.graph()
    return to !== null && graph && nodesById(graph).has(to) ? to : null
  }

  /** By this port, or, where it leads nowhere, out of all flows: the ticket waits for people, who fell silent is left. */
  private leaveBy(node: FlowNode, port: string, why: EndReason): void {
    this.run.wait = null
    if (this.target(node, port) === null) this.leave(why === 'silence' ? 'nowhere' : 'pending', why)
    else this.go(this.follow(node, port))
  }

  call(node: FlowNodeOf<'flow'>): Move | null {
    const { flowId } = node.data
    const version = flowId !== null && Object.hasOwn(this.graphs.live, flowId) ? this.graphs.live[flowId]! : null
    const graph =
      version !== null && Object.hasOwn(this.graphs.versions, version) ? this.graphs.versions[version] : null
    const to = graph ? startOf(graph) : null
    if (version === null || to === null) {
      this.guard('broken')
      return null
    }
    // Nothing is left to come back for: a flow may lead back to the menu that led to it as often as people like.
    if (this.target(node, NEXT) !== null) {
      if (this.run.stack.length >= MOST_CALLS) {
        this.guard('tooDeep')
        return null
      }
      this.run.stack = [...this.run.stack, { version: this.run.version, node: node.id }]
    }
    this.run.version = version
    return { to, from: node.id, port: null, why: 'called' }
  }

  // ── waiting and ending ───────────────────────────────────────────────────────────────────────────────────────────

  /** @param ms 0: without an end */
  waitFor(kind: FlowWait['kind'], ms: number, more: Partial<FlowWait> = {}): null {
    if (this.run.ended) return null
    this.run.wait = {
      id: ++this.run.seq,
      kind,
      until: ms > 0 ? this.now + ms : null,
      lasts: ms,
      after: this.lastSend,
      tries: 0,
      gathered: [],
      ...more,
    }
    return null
  }

  leave(to: 'menu' | 'pending' | 'nowhere', why: EndReason): void {
    this.give({ kind: 'leave', to })
    this.end(why)
  }

  end(why: EndReason): void {
    this.run.ended = { why, node: this.run.node }
    this.run.wait = null
  }

  /** A limit is reached: people take over, and read why. */
  guard(guard: Guard): void {
    this.give({ kind: 'note', text: flowWords(this.facts.language).notes[guard], guard })
    this.leave('pending', guard)
  }

  // ── doing ────────────────────────────────────────────────────────────────────────────────────────────────────────

  give(effect: FlowEffect extends infer E ? (E extends { n: number } ? Omit<E, 'n'> : never) : never): void {
    const given = { n: ++this.run.seq, ...effect } as FlowEffect
    this.effects.push(given)
    this.done.push({ at: this.trail.length - 1, effect: given })
  }

  /** Says the words of a node. */
  say(text: string): void {
    this.send(this.fill(text))
  }

  /** @param typing milliseconds, in place of what is usual for such a text */
  send(
    body: string,
    file?: SentFile,
    voice?: boolean,
    typing?: number,
    { about, offer }: { about?: TemplateAbout | undefined; offer?: Offer } = {},
  ): void {
    if (this.run.ended || (!file && !this.isCut && body.trim() === '')) return
    if (this.run.sends >= MOST_SENDS) {
      this.guard('tooManySends')
      return
    }
    // Nobody gets the beginning of a text: people go on, and read why.
    if (this.isCut || body.length > TEXT_LENGTH) {
      this.guard('textTooLong')
      return
    }
    this.run.sends++
    const typingMs = typing ?? (voice ? 2_000 : file ? 0 : Math.min(MOST_TYPING_MS, 500 + 20 * body.length))
    this.give({
      ...{ kind: 'send', body, typingMs, ...(file && { file }), ...(voice && { voice }) },
      ...{ ...(about && { about }), ...(offer && { offer }) },
    })
    this.lastSend = this.run.seq
  }

  sendFile(kind: SentFile['kind'], { file, name }: { file: string; name: string }, caption = '', voice = false): void {
    if (file) this.send(this.fill(caption), { kind, file, name: name || file }, voice)
  }

  /** The block's elements from that one on. */
  sayBlock(node: FlowNodeOf<'singleBlock'>, from: number): Move | null {
    const { elements } = node.data
    for (let part = from; part < elements.length; part++) {
      const element = elements[part]!
      if (element.kind === 'interval') {
        if (element.seconds <= 0) continue
        this.run.part = part + 1
        return this.waitFor('timer', element.seconds * 1_000)
      }
      if (element.kind === 'message') this.say(element.text)
      else if (element.kind === 'audio') this.sendFile('audio', element, '', element.record)
      else this.sendFile(element.kind === 'img' ? 'image' : 'video', element, element.caption)
      if (this.run.ended) return null
    }
    return this.follow(node, NEXT)
  }

  /** @param before what is said above it */
  sayMenu({ data }: FlowNodeOf<'menu'>, before?: string): void {
    const message = this.fill(data.message)
    const offered = data.options.map(({ number, label }) => ({ number, label, shown: this.fill(label) }))
    const lines = offered.map(({ number, shown }) => `[${number}] ${shown}`).join('\n')
    const menu = [message, lines].filter(Boolean).join('\n\n')
    const words = [before, message].filter(Boolean).join('\n\n')
    const offer = offerOf(words, choicesOf(offered), this.facts.language)
    this.send(before === undefined ? menu : `${before}\n\n${menu}`, undefined, undefined, undefined, { offer })
  }

  ask(node: FlowNodeOf<'ai'>, text: string, turn: number): null {
    const { promptId, instructions } = node.data
    this.waitFor('job', AI_WAIT_MS, { tries: turn, after: null })
    if (this.run.wait) {
      const waitId = this.run.wait.id
      const { heard = [] } = this.run
      this.give({ kind: 'ai', waitId, promptId, instructions: this.fill(instructions), text, turn, heard })
    }
    return null
  }

  /** Begins its conversation. What the contact wrote is told where nothing of the flow has asked for it before. */
  beginTypebot(node: FlowNodeOf<'typebot'>): null {
    const isFirst = this.before.node === null
    const { lastText, heard = [] } = this.run
    return this.askTypebot(node, isFirst ? lastText : null, { heard, session: null, next: [] })
  }

  private askTypebot(
    node: FlowNodeOf<'typebot'>,
    text: string | null,
    { heard, session, next }: { heard: string[]; session: unknown; next: string[] },
  ): null {
    this.waitFor('job', TYPEBOT_WAIT_MS, { after: null, gathered: next })
    if (!this.run.wait) return null
    const { integrationId } = node.data
    const variables = this.variablesGiven()
    this.give({ kind: 'typebot', waitId: this.run.wait.id, integrationId, text, heard, session, variables })
    return null
  }

  /** The flow's variables, spelt as they are drawn. One of which only the beginning is kept is given to nobody. */
  private variablesGiven(): Record<string, string> {
    const { vars, cut = [], version, stack } = this.run
    if (cut[0] === ANY) return {}
    const spelt = new Map<string, string>()
    for (const one of [...stack.map((caller) => caller.version), version]) {
      const graph = Object.hasOwn(this.graphs.versions, one) ? this.graphs.versions[one]! : { nodes: [] }
      for (const name of variablesOf(graph)) spelt.set(name.toLowerCase(), name)
    }
    const kept = Object.entries(vars).filter(([name]) => !cut.includes(name))
    for (const [name, value] of kept) this.budget.spend(LOOKUP_LETTERS + name.length + value.length)
    return Object.fromEntries(kept.map(([name, value]) => [spelt.get(name) ?? name, value]))
  }

  request(node: FlowNodeOf<'http'>): null {
    const { method, url, headers, body } = node.data
    this.waitFor('job', HTTP_WAIT_MS, { after: null })
    if (!this.run.wait) return null
    this.give({
      kind: 'http',
      waitId: this.run.wait.id,
      request: {
        method,
        url: this.fillSecret(url.trim(), inUrl),
        headers: headers.map(({ name, value }) => ({ name, value: this.fillSecret(value, oneLine) })),
        body: method === 'GET' || !body.trim() ? null : this.fillSecret(body, inBody(body)),
      },
    })
    return null
  }

  fetchFile(node: FlowNodeOf<'file'>): null {
    const url = this.fillSecret(node.data.url.trim(), inAddress)
    const caption = this.fill(node.data.caption)
    // A part of an address leads elsewhere, and what could not be said with it is not fetched.
    if (this.isCut || caption.length > TEXT_LENGTH) {
      this.guard('textTooLong')
      return null
    }
    this.waitFor('job', FILE_WAIT_MS, { after: null })
    if (this.run.wait) this.give({ kind: 'file', waitId: this.run.wait.id, url })
    return null
  }

  setVariable({ saveAs, value }: NodeData['set']): void {
    this.keep(saveAs, this.fill(value))
  }

  writeField({ field, extraName, value }: NodeData['field']): void {
    const filled = clip(this.fill(value).trim(), 1_000)
    if (filled === '' || (field === 'extra' && !extraName)) return
    this.give({ kind: 'field', field, extraName, value: filled })
    const { contact } = this.facts
    if (!contact) return
    const others = (contact.extraInfo ?? []).filter(({ name }) => name !== extraName)
    const changed =
      field === 'extra' ? { extraInfo: [...others, { name: extraName, value: filled }] } : { [field]: filled }
    this.facts = { ...this.facts, contact: { ...contact, ...changed } }
  }

  tag({ tagId, action }: NodeData['tag']): void {
    if (tagId === null) return
    this.give({ kind: action === 'add' ? 'tag' : 'untag', tagId })
    const others = this.facts.tags.filter(({ id }) => id !== tagId)
    this.facts = { ...this.facts, tags: action === 'add' ? [...others, { id: tagId, name: '' }] : others }
  }

  draw(percent: number): 'a' | 'b' {
    return draw(this.run.seed, ++this.run.draws) < percent ? 'a' : 'b'
  }

  /** Says it by the template, or goes the way for failures; people read why in either case. */
  sendTemplate(node: FlowNodeOf<'template'>): Move | null {
    const { template: name, language, values, file, name: fileName } = node.data
    const filled = Object.fromEntries(Object.entries(values).map(([key, value]) => [key, this.fill(value)]))
    const found = this.facts.templateOf?.(name, language)
    const kind = found && fileKindOf(found.parts)
    const said = this.templateSaid(found, filled, kind != null && file !== '')
    if (typeof said !== 'string') {
      this.send(said.body, kind ? { kind, file, name: fileName || file } : undefined, undefined, 0, {
        about: said.about,
      })
      return this.run.ended ? null : this.follow(node, NEXT)
    }
    const text = flowWords(this.facts.language).templateUnsent(name, said)
    this.give({ kind: 'note', text: clip(legible(text), 1_000), guard: null })
    if (this.target(node, 'error') !== null) return this.follow(node, 'error')
    this.leave('pending', 'error')
    return null
  }

  /** What it says, or the code of why it says nothing. */
  private templateSaid(
    found: FlowTemplate | undefined,
    values: TemplateValues,
    hasFile: boolean,
  ): { body: string; about: TemplateAbout } | string {
    if (!found) return this.facts.templateOf ? 'gone' : 'wire'
    const stop = stopOf(found)
    if (stop) return stop
    if (missingValues(found.parts, values).length > 0) return 'values'
    // Of which type the flow's file is was seen when it was published.
    const kind = fileKindOf(found.parts)
    if (kind && !hasFile) return 'file'
    const text = templateText(found.parts, values)
    return { body: text, about: templateAbout(found, values) }
  }

  // ── knowing ──────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Keeps a variable, cut where the run would become too large. */
  private keep(name: string, value: string): void {
    const key = name.toLowerCase()
    if (key === '') return
    if (!this.ownVars) {
      this.run.vars = { ...this.run.vars }
      this.ownVars = true
    }
    const { vars } = this.run
    delete vars[key]
    const names = Object.keys(vars)
    let used = key.length * 3 + 8
    for (const other of names) used += other.length * 3 + bytesOf(vars[other]!) + 8
    const whole = legible(value)
    if (names.length < MOST_VARIABLES && used < VARIABLES_BYTES) vars[key] = clipBytes(whole, VARIABLES_BYTES - used)
    this.noteCut(key, (vars[key] ?? '') !== whole)
    this.done.push({ at: this.trail.length - 1, name, value: vars[key] ?? '' })
  }

  private noteCut(key: string, isCut: boolean): void {
    const { cut, ...run } = this.run
    const others = (cut ?? []).filter((other) => other !== key)
    const now = isCut ? [...others, key] : others
    if (now.length > 0) this.run.cut = now.length > MOST_CUT || cut?.[0] === ANY ? [ANY] : now
    else if (cut) this.run = run
  }

  private valueOf(key: string): string {
    const name = key.toLowerCase()
    if (this.run.cut && (this.run.cut[0] === ANY || this.run.cut.includes(name))) this.isCut = true
    if (Object.hasOwn(this.run.vars, name)) return this.run.vars[name]!
    if (name === 'lasttext') return this.run.lastText
    const known = placeholderValue(aliases[name] ?? key, { ...this.facts, now: this.context.now })
    if (known !== undefined) return known
    return this.facts.contact?.extraInfo?.find((extra) => extra.name.toLowerCase() === name)?.value ?? ''
  }

  /** The text with variables, placeholders and the contact's own fields filled in. */
  fill(text: string): string {
    return replacePlaceholders(text, (key) => this.valueOf(key), this.budget)
  }

  /** The same where `{{secret:NAME}}` stays a name. What is filled in is written as its place asks. */
  private fillSecret(text: string, write: (value: string, at: number) => string): SecretText {
    this.budget.spend(text.length)
    const parts: SecretText = []
    let from = 0
    for (const match of text.matchAll(/\{\{([^{}]*)\}\}/g)) {
      const key = match[1]!.trim()
      const before = text.slice(from, match.index)
      from = match.index + match[0].length
      if (before) parts.push(before)
      if (key.startsWith(SECRET)) parts.push({ secret: key.slice(SECRET.length).trim() })
      else {
        const value = this.valueOf(key)
        // Written for its place it is up to six times as long.
        this.budget.spend(LOOKUP_LETTERS + 3 * value.length)
        parts.push(write(value, match.index))
      }
    }
    const rest = text.slice(from)
    if (rest || parts.length === 0) parts.push(rest)
    return parts
  }

  condition({ data }: FlowNodeOf<'condition'>): string {
    if (data.mode === 'single') {
      const operator = operatorOfCode[data.condition] ?? 'equals'
      return String(this.compare(operator, [this.valueOf(bareName(data.key))], data.value, compareOne))
    }
    if (data.mode === 'rules') return String(this.matches(data))
    const index = data.cases.findIndex((one) => this.matches(one))
    return index === -1 ? 'default' : casePort(index)
  }

  private matches({ match, rules }: { match: 'all' | 'any'; rules: readonly FlowRule[] }): boolean {
    const isRight = (rule: FlowRule) => this.compare(rule.operator, this.sidesOf(rule), rule.value, compareAny)
    return match === 'all' ? rules.every(isRight) : rules.some(isRight)
  }

  /** The one place where a flow compares: both sides cost what they are long. */
  private compare(operator: Operator, lefts: readonly string[], value: string, how: typeof compareAny): boolean {
    const right = this.fill(value)
    let letters = LOOKUP_LETTERS
    for (const left of lefts) letters += COMPARING * (left.length + right.length + 4)
    this.budget.spend(letters)
    return how(operator, lefts, right, this.facts.language)
  }

  /** The left side of a comparison: one text, or, of tags and queues, all names by which it goes. */
  private sidesOf({ of, key }: FlowRule): string[] {
    const { contact, tags, queue } = this.facts
    if (of === 'text') return [this.run.lastText]
    if (of === 'variable') return [this.valueOf(bareName(key))]
    if (of === 'ticket') {
      if (key === 'tag') return tags.flatMap(({ id, name }) => [String(id), name])
      return queue ? [String(queue.id), queue.name] : []
    }
    if (key === 'name') return [contact?.name ?? '']
    if (key === 'number') return [contact?.number ?? '']
    if (key === 'email') return [contact?.email ?? '']
    return [contact?.extraInfo?.find(({ name }) => name.toLowerCase() === key.toLowerCase())?.value ?? '']
  }

  isOpen({ of, queueId, schedules, timeZone }: NodeData['hours']): boolean {
    const { hours, timeZone: zone } = this.facts
    const ofCompany = hours.connection.some(({ startTime, endTime }) => startTime && endTime)
      ? hours.connection
      : hours.company
    const ofQueue = queueId !== null && Object.hasOwn(hours.queues, queueId) ? hours.queues[queueId]! : []
    const entries = of === 'own' ? schedules : of === 'queue' ? ofQueue : ofCompany
    const holidays = of === 'own' ? [] : hours.holidays
    return isOpen(entries, this.context.now, of === 'own' && isTimeZone(timeZone) ? timeZone : zone, holidays)
  }

  private graph(): FlowGraph | null {
    const { version } = this.run
    return Object.hasOwn(this.graphs.versions, version) ? this.graphs.versions[version]! : null
  }

  private node(): FlowNode | null {
    const graph = this.graph()
    return (graph && this.run.node !== null && nodesById(graph).get(this.run.node)) || null
  }

  /** From here on the run is a copy. */
  private open(): void {
    if (this.run === this.before) this.run = { ...this.before }
  }
}

/** What each type does when it is entered: where to go at once, or null where it waits or ends. */
const doings: { [T in NodeType]: (walk: Walk, node: FlowNodeOf<T>) => Move | null } = {
  start: (walk, node) => walk.follow(node, NEXT),
  message(walk, node) {
    walk.say(node.data.text)
    return after(walk, node)
  },
  interval: (walk, node) =>
    node.data.seconds > 0 ? walk.waitFor('timer', node.data.seconds * 1_000) : walk.follow(node, NEXT),
  condition: (walk, node) => walk.follow(node, walk.condition(node)),
  menu(walk, node) {
    walk.sayMenu(node)
    return walk.waitFor('reply', node.data.timeoutSeconds * 1_000)
  },
  img(walk, node) {
    walk.sendFile('image', node.data, node.data.caption)
    return after(walk, node)
  },
  video(walk, node) {
    walk.sendFile('video', node.data, node.data.caption)
    return after(walk, node)
  },
  audio(walk, node) {
    walk.sendFile('audio', node.data, '', node.data.record)
    return after(walk, node)
  },
  document(walk, node) {
    walk.sendFile('document', node.data, node.data.caption)
    return after(walk, node)
  },
  file: (walk, node) => walk.fetchFile(node),
  template: (walk, node) => walk.sendTemplate(node),
  randomizer: (walk, node) => walk.follow(node, walk.draw(node.data.percent)),
  singleBlock: (walk, node) => walk.sayBlock(node, 0),
  ticket(walk, { data }) {
    walk.say(data.message)
    if (walk.run.ended) return null
    if (data.queueId === null) walk.leave('pending', 'queue')
    else {
      walk.give({ kind: 'toQueue', queueId: data.queueId })
      walk.end('queue')
    }
    return null
  },
  question(walk, { data }) {
    walk.say(data.message)
    return walk.waitFor('reply', data.timeoutSeconds * 1_000)
  },
  hours: (walk, node) => walk.follow(node, walk.isOpen(node.data) ? 'open' : 'closed'),
  tag(walk, node) {
    walk.tag(node.data)
    return walk.follow(node, NEXT)
  },
  field(walk, node) {
    walk.writeField(node.data)
    return walk.follow(node, NEXT)
  },
  set(walk, node) {
    walk.setVariable(node.data)
    return walk.follow(node, NEXT)
  },
  agent(walk, { data }) {
    walk.say(data.message)
    if (walk.run.ended) return null
    if (data.userId === null) walk.leave('pending', 'agent')
    else {
      walk.give({ kind: 'toAgent', userId: data.userId })
      walk.end('agent')
    }
    return null
  },
  http: (walk, node) => walk.request(node),
  ai: (walk, node) => walk.ask(node, walk.run.lastText, 1),
  typebot: (walk, node) => walk.beginTypebot(node),
  flow: (walk, node) => walk.call(node),
  end(walk, { data }) {
    walk.say(data.message)
    if (walk.run.ended) return null
    if (data.then === 'close') {
      walk.give({ kind: 'close' })
      walk.end('close')
    } else walk.leave(data.then, data.then === 'menu' ? 'menu' : 'done')
    return null
  },
  note(walk, node) {
    const text = clip(walk.fill(node.data.text).trim(), 4_000)
    if (text) walk.give({ kind: 'note', text, guard: null })
    return walk.follow(node, NEXT)
  },
  // No way leads there, and none away.
  comment: (walk, node) => walk.follow(node, ''),
  // Nothing here knows what it does; a flow that holds one is not published, only tried.
  unknown: (walk, node) => walk.follow(node, Object.keys(node.exits)[0] ?? NEXT),
}

/** A letter is read so many times to be compared: for accents, capitals and numbers. */
const COMPARING = 2

const compareOne: typeof compareAny = (operator, [left = ''], right, language) =>
  compare(operator, left, right, language)

const after = (walk: Walk, node: FlowNode): Move | null => (walk.run.ended ? null : walk.follow(node, NEXT))

/** The start's id, or null. */
function startOf(graph: FlowGraph): string | null {
  if (nodesById(graph).get(START_ID)?.type === 'start') return START_ID
  return graph.nodes.find(({ type }) => type === 'start')?.id ?? null
}

/** As other programs of the family call the contact's name and number. */
const aliases: Record<string, string> = { nome: 'name', numero: 'number' }

const join = (texts: readonly string[]) => texts.filter((text) => text.trim()).join('\n')

/** As many of the texts as a run may hold. */
function bounded(texts: readonly string[], most = GATHERED_BYTES): string[] {
  let left = most
  return texts.map((text) => {
    const kept = clipBytes(text, Math.max(0, left))
    left -= bytesOf(kept) + 3
    return kept
  })
}

/** Bytes of one UTF-16 unit of a text in JSON; half of a pair counts as half. */
const unitBytes = (code: number): number => {
  if (code < 0x20) return 6
  if (code < 0x80) return code === 0x22 || code === 0x5c ? 2 : 1
  if (code < 0x800) return 2
  return code >= 0xd800 && code < 0xe000 ? 2 : 3
}

function bytesOf(text: string): number {
  let bytes = 0
  for (let i = 0; i < text.length; i++) bytes += unitBytes(text.charCodeAt(i))
  return bytes
}

/** The beginning of a text that takes at most so many bytes as JSON. */
function clipBytes(text: string, most: number): string {
  let bytes = 0
  const length = Math.min(text.length, most)
  for (let i = 0; i < length; i++) {
    bytes += unitBytes(text.charCodeAt(i))
    if (bytes > most) return clip(text, i)
  }
  return clip(text, length)
}

/** What stands at a path such as `data.items[0].name`, as text; empty where nothing does. An empty path is all of it. */
export function pick(body: unknown, path: string): string {
  let found: unknown = body
  for (const name of path.split(/[.[\]]/)) {
    if (name === '') continue
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return ''
    found = (found as Record<string, unknown>)[name]
  }
  if (found === null || found === undefined) return ''
  return typeof found === 'object' ? clip(JSON.stringify(found), 20_000) : clip(String(found), 20_000)
}
