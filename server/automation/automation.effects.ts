import type { MediaType } from '../../schema/messages/messages.content.ts'
import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import { act, type PlainAction } from '../../schema/automation/automation.act.ts'
import type { Action } from '../../schema/automation/automation.decide.ts'
import { type AutomationDecision, voiceTranscripts } from '../../schema/automation/automation.table.ts'
import { type Decision, together } from '../../schema/command.ts'
import { isSubscribed } from '../../schema/companies/companies.subscription.ts'
import type { Effect } from '../../schema/effects.ts'
import { DomainError } from '../../schema/errors.ts'
import {
  addressProblem,
  fetching,
  hostOf,
  insideJson,
  inUrl,
  secretsOf,
  withSecrets,
} from '../../schema/flows/flows.request.ts'
import type {
  BotSaid,
  FetchedFile,
  FileFailure,
  FlowResult,
  FlowRun,
  HttpRequest,
  SecretText,
} from '../../schema/flows/flows.run.ts'
import { flowRuns } from '../../schema/flows/flows.table.ts'
import { jobs } from '../../schema/jobs/jobs.table.ts'
import { messages, type Message } from '../../schema/messages/messages.table.ts'
import type { OwnFile } from '../../schema/messages/messages.own.ts'
import { BODY_LENGTH } from '../../schema/messages/messages.text.ts'
import { MASK } from '../../schema/secrets.ts'
import { moveTicket } from '../../schema/tickets/tickets.move.ts'
import { clip } from '../../schema/texts.ts'
import { users } from '../../schema/users/users.table.ts'
import type { BotAnswer, BotConversation, BotFailure, BotMessage } from '../bots/bots.answer.ts'
import { applyDecision } from '../commands/apply.ts'
import { flowWords } from '../../schema/flows/flows.words.ts'
import { noteOn } from '../../schema/notes/notes.row.ts'
import { addJobs } from '../jobs/queue.ts'
import { type Handlers, NotNow } from '../jobs/worker.ts'
import type { FetchFile } from '../media/media.fetched.ts'
import type { MediaStore } from '../media/media-store.ts'
import { usedMedia } from '../messages/messages.queries.ts'
import type { Outside } from '../outside/outside.ts'
import { countPromptUse } from '../prompts/prompts.changes.ts'
import { idsOf, keepDecisions, keepMemory, lockTickets } from './automation.answer.ts'
import { type CompanyRules, serviceFacts, type ServiceFacts } from './automation.facts.ts'
import { beginFlow, leaveToWait, type RunsDeps, reportToRun } from './automation.runs.ts'
import { type Heard, wordsOf } from './automation.said.ts'

/** The bots elsewhere, with their settings and secrets; `server/bots` has them, `main.ts` brings them together. */
export interface BotPort {
  /**
   * @param tries that were made before
   * @param type an integration of another type counts as none
   * @returns undefined where there is no such bot any more; `queueId` is where its conversations go on
   */
  ask(
    companyId: number,
    bot: { by: 'prompt' | 'integration'; id: number },
    conversation: BotConversation,
    how: { tries: number; instructions?: string; type?: 'typebot' },
  ): Promise<{ result: BotAnswer | BotFailure; queueId: number | null; name: string } | undefined>
  /**
   * What a voice note says, by the service of a prompt.
   * @returns undefined where there is no such prompt, or it names nothing that could listen
   */
  transcribe(
    companyId: number,
    promptId: number,
    sound: Sound,
  ): Promise<{ text: string } | (BotFailure & { queueId: number | null }) | undefined>
}

/** A recording that is only read when it will be sent. */
export interface Sound {
  bytes(): Promise<Uint8Array<ArrayBuffer>>
  size: number
  mimetype: string
}

interface Deps extends RunsDeps {
  bots: BotPort
  media: MediaStore
  outside: Pick<Outside, 'fetch'>
  /** Fetches a file that a bot or a flow names, into the media store. */
  fetchFile: FetchFile
  /** Bytes of a file that a bot, or a flow, fetches. */
  maxMediaBytes: number
  /** Keys of a company by name, in clear, for the call that names them. */
  openSecrets(companyId: number, names: readonly string[], host: string | null): Promise<ReadonlyMap<string, string>>
  /** A signed address under which a bot fetches a file; undefined where this server has no address of its own. */
  mediaUrl?(path: string): string | undefined
}

/** A bot waits for the file of a message so long; then it is told of the message without. */
const FETCHED_WITHIN_MS = 60_000
const FETCHED_EVERY_MS = 500
/** Voice notes that are listened to for one answer. */
const MOST_HEARD = 5
/** Messages of the conversation that a bot is told of, at most; each kind of bot takes what it wants. */
const HISTORY = 50
const MOST_TYPING_MS = 3_000
/** Fetching one file that a bot names, and all of one answer to a flow, which waits no longer. */
const FILE_MS = 30_000
const FILES_MS = 60_000
/** A call of a flow. */
const HTTP_MS = 10_000
const HTTP_BYTES = 64_000

/** What is asked elsewhere after the commit, and what becomes of the answers. */
export function automationEffects(
  deps: Deps,
): Pick<Handlers, 'automation.ask' | 'flows.begin' | 'flows.http' | 'flows.file' | 'flows.ai' | 'flows.typebot'> {
  const { db } = deps

  return {
    'automation.ask': async (effect, { companyId, attempt }) => {
      const own = await deps.rules.of(companyId)
      const service = await serviceOf(deps, effect.ticketId)
      if (!service || !mayAnswer(own, service, deps.now())) return
      // A newer message is asked about with this one in its history: one answer is enough.
      if (effect.by === 'prompt' && (await isOvertaken(deps, effect))) return
      const conversation = await conversationOf(deps, own, service, { ...effect, heard: [effect.messageId] })
      if (!conversation) return
      const tries = effect.tries ?? 0
      const answered =
        'failed' in conversation
          ? { result: conversation, queueId: conversation.queueId, name: '' }
          : await deps.bots.ask(companyId, effect, conversation, { tries })
      if (!answered) return
      const { result, queueId, name } = answered
      if ('failed' in result) {
        deps.log.warn({ companyId, bot: effect.by, id: effect.id, why: result.why, attempt }, result.says)
        // Whoever wants events only is told later, and neither the contact nor the messages after it wait for that; a
        // contact whose bot is broken is given to people.
        if (effect.by === 'integration' && result.failed === 'again' && result.afterMs !== undefined) {
          const again: Effect = { ...effect, tries: tries + 1 }
          await addJobs(db, companyId, [again], new Date(deps.now().getTime() + result.afterMs))
          return
        }
      }
      const files = 'failed' in result ? [] : await filesOf(deps, companyId, `bot:${effect.messageId}`, result.messages)
      await say(deps, own, effect, { result, queueId, name, files })
    },

    'flows.begin': async ({ ticketId, flowId, by, cause }, { companyId, last }) => {
      try {
        await beginFlow(deps, companyId, ticketId, { flowId, by, cause })
      } catch (error) {
        if (last) await leaveToWait(deps, companyId, ticketId)
        throw error
      }
    },
    'flows.http': async ({ runId, waitId, request }, { companyId }) => {
      const result = await call(deps, companyId, request).catch((error: unknown) => {
        if (!(error instanceof DomainError)) throw error
        deps.log.warn({ companyId, runId, why: error.code, ...error.params }, 'a call of a flow was not made')
        return { kind: 'http', ok: false, status: 0, body: null } as const
      })
      await reportToRun(deps, runId, { kind: 'result', waitId, result }, `${runId}:${waitId}`)
    },

    'flows.file': async ({ runId, waitId, url }, { companyId }) => {
      // Told before, by this job or by the clock: nothing is fetched for nobody.
      if (!(await isAwaited(db, runId, waitId))) return
      const result = await fetched(deps, companyId, url, `flow:${runId}:${waitId}`)
      await reportToRun(deps, runId, { kind: 'result', waitId, result }, `${runId}:${waitId}`)
      // A person may have come meanwhile.
      if (!result.ok) return
      const { path } = result.file
      if (!(await usedMedia(db, [path])).has(path)) await addJobs(db, companyId, [{ kind: 'media.release', path }])
    },

    'flows.ai': async ({ ticketId, runId, waitId, promptId, instructions, text, heard }, { companyId, attempt }) => {
      const report = (result: FlowResult) =>
        reportToRun(deps, runId, { kind: 'result', waitId, result }, `${runId}:${waitId}`, heard.at(-1))
      const fail = (why: string, says: string) => {
        deps.log.warn({ companyId, bot: 'prompt', id: promptId, runId, why, attempt }, says)
        return report({ kind: 'ai', ok: false, text: '', why })
      }
      if (promptId === null) return fail('gone', 'a flow asks an assistant that nobody chose')
      const own = await deps.rules.of(companyId)
      // Drawn while the plan had them, or begun before: nobody is asked, and the trace says why.
      if (own.company.planLacks.includes('useOpenAi')) return fail('plan', 'the plan has no assistants')
      const service = await serviceOf(deps, ticketId)
      const conversation =
        service && (await conversationOf(deps, own, service, { heard, by: 'prompt', id: promptId, text }))
      if (!conversation) return fail('empty', 'a flow asks an assistant about nothing')
      if ('failed' in conversation) return fail(conversation.why, conversation.says)
      const answered = await deps.bots.ask(companyId, { by: 'prompt', id: promptId }, conversation, {
        ...{ tries: 0, instructions },
      })
      if (!answered) return fail('gone', 'a flow asks an assistant that is gone')
      if ('failed' in answered.result) return fail(answered.result.why, answered.result.says)
      const { messages: said, transferTo, stop, usage } = answered.result
      if (usage) await countPromptUse(db, companyId, usage, deps.now())
      await report({
        ...{ kind: 'ai', ok: true },
        text: said.flatMap((one) => ('text' in one ? [one.text] : [])).join('\n\n'),
        ...(stop && !transferTo ? { done: true } : {}),
        ...(transferTo ? { transferTo: transferTo.queueId } : {}),
        ...(transferTo?.reason ? { reason: transferTo.reason } : {}),
        ...(usage ? { usage } : {}),
      })
    },

    'flows.typebot': (effect, { companyId, attempt }) => askTypebot(deps, effect, companyId, attempt),
  }
}

/** Tells a typebot what the contact wrote in a flow, and the flow what it answers. */
async function askTypebot(
  deps: Deps,
  effect: Extract<Effect, { kind: 'flows.typebot' }>,
  companyId: number,
  attempt: number,
): Promise<void> {
  const { db } = deps
  const { ticketId, runId, waitId, integrationId, text, heard, session, variables } = effect
  // Told before, by this job or by the clock, or left: its conversation goes no further for nobody.
  if (!(await isAwaited(db, runId, waitId))) return
  const report = (result: FlowResult) =>
    reportToRun(deps, runId, { kind: 'result', waitId, result }, `${runId}:${waitId}`, heard.at(-1))
  const fail = (why: string, says: string, status?: number) => {
    deps.log.warn({ companyId, bot: 'integration', id: integrationId, runId, why, attempt }, says)
    return report({ kind: 'typebot', ok: false, why, ...(status !== undefined && { status }) })
  }
  if (integrationId === null) return fail('integration_gone', 'a flow asks a typebot that nobody chose')
  const own = await deps.rules.of(companyId)
  // Drawn while the plan had them, or begun before: nobody is asked, and the trace says why.
  if (own.company.planLacks.includes('useIntegrations'))
    return fail('plan_integrations', 'the plan has no integrations')
  const service = await serviceOf(deps, ticketId)
  const question: Question = {
    heard: text === null ? [] : heard,
    by: 'integration',
    id: integrationId,
    text: text ?? '',
  }
  const conversation = service && (await conversationOf(deps, own, service, question))
  if (!conversation || 'failed' in conversation) return fail('empty', 'a flow asks a typebot about nothing')
  const answered = await deps.bots.ask(
    companyId,
    { by: 'integration', id: integrationId },
    { ...conversation, session, variables },
    { tries: 0, type: 'typebot' },
  )
  if (!answered) return fail('integration_gone', 'a flow asks a typebot that is gone')
  const { result } = answered
  if ('failed' in result)
    // There it is a bot that is not known, and no model.
    return fail(result.why === 'not_found' ? 'typebot_unknown' : result.why, result.says, result.status)
  const files = await filesOf(deps, companyId, `flow:${runId}:${waitId}`, result.messages, FILES_MS)
  const { transferTo } = result
  await report({
    ...{ kind: 'typebot', ok: true },
    said: spoken(result, files).map(({ body, file, typingMs }): BotSaid => {
      const fetched = fetchedOf(file)
      return { body, typingMs, ...(fetched && { file: fetched }) }
    }),
    session: result.stop ? null : (result.session ?? null),
    ...(transferTo && { transferTo: transferTo.queueId }),
    ...(transferTo?.userId != null && { userId: transferTo.userId }),
  })
  // A person may have come meanwhile.
  const kept = files.flatMap((file) => fetchedOf(file)?.path ?? [])
  if (kept.length === 0) return
  const used = await usedMedia(db, kept)
  const unused = kept.filter((path) => !used.has(path))
  await addJobs(
    db,
    companyId,
    unused.map((path): Effect => ({ kind: 'media.release', path })),
  )
}

/** What was fetched and is kept; null for anything else. */
function fetchedOf(file: OwnFile | null): FetchedFile | null {
  const { path, name, mimetype, size } = file ?? {}
  return path && name !== undefined && mimetype && size != null ? { path, name, mimetype, size } : null
}

// ── what a bot is told ───────────────────────────────────────────────────────────────────────

async function serviceOf({ db }: Deps, ticketId: number): Promise<ServiceFacts | undefined> {
  return (await serviceFacts(db, [ticketId])).get(ticketId)
}

/** Whom to tell of which messages, which are one question. `text` is what a flow knows of them, where they are gone. */
interface Question {
  heard: readonly string[]
  by: 'prompt' | 'integration'
  id: number
  text?: string
}

/**
 * What a bot is told.
 * @returns undefined where there is nothing to tell of; a failure where a voice note cannot be understood
 * @throws NotNow while the file of the message is being fetched
 */
async function conversationOf(
  deps: Deps,
  own: CompanyRules,
  { ticket, contact, memory }: ServiceFacts,
  { heard, by, id, text }: Question,
): Promise<BotConversation | (BotFailure & { queueId: number | null }) | undefined> {
  const { db, mediaUrl, now } = deps
  const rules = ticket.whatsappId === null ? undefined : own.of(ticket.whatsappId, now())
  if (!rules) return undefined
  const latest = await db
    .select({ message: messages, transcript: voiceTranscripts.text })
    .from(messages)
    .leftJoin(voiceTranscripts, eq(voiceTranscripts.messageId, messages.id))
    .where(and(eq(messages.ticketId, ticket.id), eq(messages.isDeleted, false)))
    .orderBy(desc(messages.createdAt), desc(messages.id))
    .limit(HISTORY)
  const asked = latest.filter((one) => heard.includes(one.message.id)).reverse()
  const message = asked.at(-1)?.message
  const isFlow = text !== undefined
  // Only what keeps its conversation itself can begin one with nothing.
  if (!message && !text && !(isFlow && by === 'integration')) return undefined
  // What a flow has said since is known to whoever answers next; what the contact wrote since is the next question.
  const earlier = latest.filter(
    (one) =>
      !asked.includes(one) &&
      (!message || one.message.createdAt <= message.createdAt || (isFlow && one.message.fromMe)),
  )
  const isComing = ({ message: one }: Heard) =>
    one.mediaState === 'pending' && now().getTime() - one.createdAt.getTime() < FETCHED_WITHIN_MS
  if (asked.some(isComing)) throw new NotNow('the file of the message is not here yet', FETCHED_EVERY_MS)
  if (by === 'prompt') {
    // What was said since we spoke, for a bot that is asked about all of it at once.
    const unanswered = earlier.slice(0, earlier.findIndex((one) => one.message.fromMe) >>> 0)
    for (const one of [...asked.toReversed(), ...unanswered].slice(0, MOST_HEARD)) {
      const failure = await understand(deps, id, one)
      // In which nothing is said is told as what it is.
      if (failure && failure.why !== 'empty' && asked.includes(one)) return failure
    }
  }
  const wordsOfOne = (one: Heard) => (by === 'prompt' ? wordsOf(one) : (one.transcript ?? one.message.body))
  const queue = ticket.queueId === null ? undefined : rules.queues.get(ticket.queueId)
  return {
    ticket: { id: ticket.id, uuid: ticket.uuid },
    contact: { id: contact.id, name: contact.name, number: contact.number ?? '', email: contact.email },
    connection: { id: rules.connection.id, name: rules.connection.name },
    queue: queue ? { id: queue.id, name: queue.name } : null,
    history: earlier
      .flatMap((one) => {
        const isTold = one.message.mediaType === 'chat' || (by === 'prompt' && !one.message.fromMe)
        const said = isTold ? wordsOfOne(one) : one.transcript
        return said ? [{ from: one.message.fromMe ? ('us' as const) : ('contact' as const), text: said }] : []
      })
      .reverse(),
    message: {
      id: message?.id ?? heard.at(-1) ?? '',
      type: message ? botTypes[message.mediaType] : 'text',
      text: asked.map(wordsOfOne).filter(Boolean).join('\n') || (text ?? ''),
      ...urlOf(message, mediaUrl),
    },
    ...(memory.session ? { session: memory.session } : {}),
  }
}

/** Has a voice note of the contact's made into text, once. */
async function understand(
  { db, bots, media, now }: Deps,
  promptId: number,
  heard: Heard,
): Promise<(BotFailure & { queueId: number | null }) | undefined> {
  const { message, transcript } = heard
  if (transcript !== null || message.fromMe || !message.isVoice || message.mediaState !== 'ready') return undefined
  const { companyId, mediaPath } = message
  const file = mediaPath && (await media.find(mediaPath))
  if (!file) return undefined
  const said = await bots.transcribe(companyId, promptId, {
    bytes: async () => new Response(await media.read(mediaPath)).bytes(),
    size: file.size,
    mimetype: message.mediaMime ?? 'audio/ogg',
  })
  if (!said || 'failed' in said) return said
  const text = clip(said.text, BODY_LENGTH)
  heard.transcript = text
  await db
    .insert(voiceTranscripts)
    .values({ messageId: message.id, companyId, text, createdAt: now() })
    .onConflictDoNothing()
  return undefined
}

/** How bots elsewhere are told what was sent. */
const botTypes: Record<MediaType, BotConversation['message']['type']> = {
  ...{ chat: 'text', image: 'image', video: 'video', audio: 'audio', application: 'document', sticker: 'other' },
  ...{ locationMessage: 'other', contactMessage: 'other', vcard: 'other', reactionMessage: 'other', call_log: 'other' },
  ...{ ad: 'other', pix: 'other', order: 'other', product: 'other', poll: 'other', event: 'other' },
  ...{ group_invite: 'other', view_once: 'other', phone_only: 'other' },
}

function urlOf(message: Message | undefined, mediaUrl: Deps['mediaUrl']): { mediaUrl?: string } {
  const url = message?.mediaPath && message.mediaState === 'ready' ? mediaUrl?.(message.mediaPath) : undefined
  return url ? { mediaUrl: url } : {}
}

/** Whether the bot may still speak: nobody has taken the ticket, and the bot has not handed over. */
function mayAnswer(own: CompanyRules, { ticket, memory, wasServed, contact }: ServiceFacts, now: Date): boolean {
  const isWaiting = ticket.status === 'pending' && ticket.userId === null && !ticket.isGroup
  const isAllowed = !memory.handedOver && !memory.botOver && !wasServed && !contact.disableBot
  return isWaiting && isAllowed && isSubscribed(own.company.subscription, now)
}

async function isOvertaken({ db }: Deps, effect: Extract<Effect, { kind: 'automation.ask' }>): Promise<boolean> {
  const [later] = await db
    .select({ id: jobs.id })
    .from(jobs)
    .where(
      and(
        eq(jobs.lane, `ask:${effect.ticketId}`),
        isNull(jobs.failedAt),
        sql`${jobs.payload}->>'messageId' > ${effect.messageId}`,
        sql`${jobs.payload}->>'by' = 'prompt'`,
      ),
    )
    .limit(1)
  return later !== undefined
}

// ── what becomes of an answer ────────────────────────────────────────────────────────────────

/** Files that a bot names, fetched, and voices, kept; null for one that could not be had. */
async function filesOf(
  { media, fetchFile, maxMediaBytes, log }: Deps,
  companyId: number,
  about: string,
  said: readonly BotMessage[],
  mostMs = Infinity,
): Promise<(OwnFile | null)[]> {
  const files: (OwnFile | null)[] = []
  const until = performance.now() + mostMs
  for (const [n, one] of said.entries()) {
    const key = `${about}:${n}`
    const timeoutMs = Math.min(FILE_MS, until - performance.now())
    if ('voice' in one) {
      const mimetype = 'audio/ogg; codecs=opus'
      const stored = await media.put(companyId, one.voice, { name: 'voz.ogg', mimetype, maxBytes: maxMediaBytes, key })
      files.push({ path: stored.path, name: 'voz.ogg', mimetype, size: stored.size, voice: true })
    } else if ('mediaUrl' in one && timeoutMs > 0) {
      try {
        const { path, name, mimetype, size } = await fetchFile(companyId, one.mediaUrl, {
          ...{ maxBytes: maxMediaBytes, key, otherwise: 'arquivo', timeoutMs, believesContent: true },
        })
        files.push({ path, name, mimetype, size, voice: false })
      } catch (err) {
        log.warn({ err, companyId }, 'a file that a bot names could not be fetched')
        files.push(null)
      }
    } else files.push(null)
  }
  return files
}

/** What an answer says, with the typing before each. What could not be fetched and has no words is left out. */
function spoken(
  { messages: said, delayMs = 0 }: BotAnswer,
  files: readonly (OwnFile | null)[],
): { body: string; file: OwnFile | null; typingMs: number }[] {
  const pause = Math.min(delayMs, MOST_TYPING_MS)
  return said.flatMap((one, n) => {
    const file = files[n] ?? null
    const body = 'text' in one ? one.text : 'caption' in one ? (one.caption ?? '') : ''
    if (file === null && body === '') return []
    return [{ body, file, typingMs: Math.min(Math.max(n > 0 ? pause : 0, one.waitMs ?? 0), MOST_TYPING_MS) }]
  })
}

interface Told {
  result: BotAnswer | BotFailure
  /** Where the bot’s conversations go on. */
  queueId: number | null
  name: string
  files: readonly (OwnFile | null)[]
}

/** Says the answer, unless a person has come meanwhile; once for its message. */
async function say(
  deps: Deps,
  own: CompanyRules,
  effect: Extract<Effect, { kind: 'automation.ask' }>,
  told: Told,
): Promise<void> {
  const { ticketId, messageId } = effect
  const now = deps.now()
  const changes = await deps.db.transaction(async (tx) => {
    await lockTickets(tx, [ticketId])
    const service = (await serviceFacts(tx, [ticketId])).get(ticketId)
    const rules = service?.ticket.whatsappId == null ? undefined : own.of(service.ticket.whatsappId, now)
    if (!service || !rules || !mayAnswer(own, service, now)) return []
    const { ticket, memory } = service
    const id = `answer:${messageId}:${effect.by}`
    const ids = idsOf(ticketId)
    const cause = `${messageId}:${effect.by}`
    // A repeat after a crash finds what it said.
    const [said] = await tx
      .select({ id: messages.id })
      .from(messages)
      .where(eq(messages.id, ids.reply(cause, 0)))
    if (said) return []
    const failure = 'failed' in told.result ? told.result : null
    const answer: BotAnswer =
      'failed' in told.result ? { messages: [], transferTo: { queueId: told.queueId } } : told.result
    const actions = spoken(answer, told.files).map(
      ({ body, file, typingMs }): PlainAction => ({ kind: 'say', body, file, ...(typingMs > 0 ? { typingMs } : {}) }),
    )
    const { transferTo } = answer
    const { language } = rules.company
    // A program that only takes our events was in no conversation, and what it wants said it says.
    const type = effect.by === 'integration' ? rules.integrations.get(effect.id)?.type : undefined
    const isTalk = effect.by === 'prompt' || (failure !== null && type !== 'webhook' && type !== 'n8n')
    if (transferTo && actions.length === 0 && isTalk)
      actions.push({ kind: 'say', body: flowWords(language).handOver, file: null })
    const target = transferTo ? (transferTo.queueId ?? told.queueId) : null
    if (target !== null && rules.queues.has(target))
      actions.push({ kind: 'queue', queueId: target, by: effect.by } satisfies Action)
    const done = act(ticket, actions, {
      ...{ cause, now, after: 0 },
      idOf: (n) => ids.reply(cause, n),
      queueName: (queueId) => rules.queues.get(queueId)?.name ?? '',
    })
    const isOver = transferTo !== undefined || answer.stop === true
    const after: Decision[] = [done.decision]
    const reason = transferTo?.reason?.trim() ?? ''
    const noted =
      effect.by !== 'prompt'
        ? ''
        : failure
          ? flowWords(language).assistantFailed(failure.why)
          : reason && `${flowWords(language).transferred} ${clip(reason, 1_000)}`
    if (noted)
      after.push({ rows: [noteOn(done.ticket, { id: ids.reply(`note:${cause}`, 0), note: noted, now })], effects: [] })
    const by = { id: `bot:${cause}`, eventId: `bot:${cause}`, userId: null, now }
    if (transferTo?.userId != null) {
      const [user] = await tx
        .select({ id: users.id, name: users.name })
        .from(users)
        .where(and(eq(users.id, transferTo.userId), eq(users.companyId, ticket.companyId)))
      const moved = user
        ? moveTicket(done.ticket, { type: 'assign', userId: user.id }, { ...by, data: { to: user.name } })
        : null
      if (moved && !('refused' in moved)) after.push(moved.decision)
    } else if (isOver) {
      const released = moveTicket(done.ticket, { type: 'release' }, by)
      if (!('refused' in released)) after.push(released.decision)
    }
    const row: AutomationDecision = {
      ...{
        id,
        companyId: ticket.companyId,
        ticketId,
        messageId,
        trigger: 'answer',
        replies: done.replies,
        createdAt: now,
      },
      steps: [
        {
          step: effect.by,
          result: failure ? 'blocked' : 'matched',
          why: failure ? `failed_${failure.why}` : transferTo ? 'transferred' : answer.stop ? 'stopped' : 'answered',
          facts: {
            ...{ [`${effect.by}Id`]: effect.id, name: told.name },
            ...(failure?.status ? { status: failure.status } : {}),
            ...(reason ? { reason: clip(reason, 200) } : {}),
          },
        },
      ],
      actions: actions.map((action) => (action.kind === 'say' ? { kind: 'say' } : { ...action })),
      by: { [`${effect.by}Id`]: effect.id, ...(answer.usage ? { ...answer.usage } : {}) },
    }
    const changed = await applyDecision(tx, ticket.companyId, together(...after))
    const remembered = {
      ...memory,
      ...(isOver
        ? {
            handedOver: transferTo !== undefined,
            botOver: true,
            enteredQueueId: target ?? ticket.queueId,
            inOptions: false,
          }
        : {}),
      ...(answer.session !== undefined
        ? { session: answer.session as Record<string, unknown> | null, sessionAt: now }
        : {}),
    }
    await keepMemory(tx, { ...remembered, ticketId, companyId: ticket.companyId, serviceId: service.serviceId })
    await keepDecisions(tx, [row])
    if (answer.usage) await countPromptUse(tx, ticket.companyId, answer.usage, now)
    return changed
  })
  deps.committed(changes, true)
}

// ── calls of flows ───────────────────────────────────────────────────────────────────────────

/** What a service answers may hold the key that it was called with; nobody is shown one. */
const withoutSecrets = (text: string, secrets: ReadonlyMap<string, string>): string =>
  [...secrets.values()]
    .flatMap((secret) => [secret, insideJson(secret), inUrl(secret)])
    .reduce((left, written) => left.replaceAll(written, MASK), text)

/**
 * Makes a call of a flow, within its limits; for a flow, and for who tries one.
 * @throws DomainError `ERR_FLOW_SECRET_HOST`: nobody was called
 */
export async function call(
  { outside, log, openSecrets }: Pick<Deps, 'outside' | 'log' | 'openSecrets'>,
  companyId: number,
  request: HttpRequest,
): Promise<Extract<FlowResult, { kind: 'http' }>> {
  const failed = { kind: 'http', ok: false, status: 0, body: null } as const
  const secrets = await openSecrets(companyId, secretsOf(request), hostOf(request))
  const filled = withSecrets(request, secrets)
  if (!filled) return failed
  try {
    const answer = await outside.fetch(filled.url, {
      method: filled.method,
      headers: Object.fromEntries(filled.headers.map(({ name, value }) => [name, value])),
      ...(filled.body ? { body: filled.body } : {}),
      ...{ httpsOnly: true, timeoutMs: HTTP_MS, maxBytes: HTTP_BYTES },
    })
    const hidden = (value: string) => withoutSecrets(value, secrets)
    const text = await answer.text()
    const isJson = (answer.headers.get('content-type') ?? '').includes('json')
    let body: unknown
    if (isJson)
      try {
        body = JSON.parse(text, (_key, value: unknown) => (typeof value === 'string' ? hidden(value) : value))
      } catch {
        // As text, then.
      }
    if (body === undefined) body = hidden(text)
    return { kind: 'http', ok: true, status: answer.status, body }
  } catch (err) {
    log.debug({ err }, 'a call of a flow failed')
    return failed
  }
}

// ── files of flows ───────────────────────────────────────────────────────────────────────────

/** Whether the run still waits for this. */
async function isAwaited(db: Deps['db'], runId: string, waitId: number): Promise<boolean> {
  const [row] = await db
    .select({ run: flowRuns.run })
    .from(flowRuns)
    .where(and(eq(flowRuns.id, runId), isNull(flowRuns.endedAt)))
  return (row?.run as FlowRun | undefined)?.wait?.id === waitId
}

/** Fetches a file for a flow. What lies at its address is asked for once more after a crash; the contact gets it once. */
async function fetched(
  deps: Deps,
  companyId: number,
  url: SecretText,
  key: string,
): Promise<Extract<FlowResult, { kind: 'file' }>> {
  const problem = addressProblem(url)
  if (problem) return { kind: 'file', ok: false, why: problem }
  const { fetchFile, maxMediaBytes, log } = deps
  try {
    const request = fetching(url)
    const names = secretsOf(request)
    const filled = withSecrets(request, await deps.openSecrets(companyId, names, hostOf(request)))
    if (!filled) return { kind: 'file', ok: false, why: 'file_secret' }
    const { path, name, mimetype, size } = await fetchFile(companyId, filled.url, {
      ...{ maxBytes: maxMediaBytes, key, otherwise: 'arquivo', noPages: true, keepsFirst: true },
      httpsOnly: names.length > 0,
    })
    return { kind: 'file', ok: true, file: { path, name, mimetype, size } }
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    const why = failureOf(error)
    // Not a word of the file, but of where it should be kept: another time it may be.
    if (why === null) throw error
    const status = error.params['status']
    log.debug({ companyId, why, status }, 'a file of a flow could not be had')
    return { kind: 'file', ok: false, why, ...(typeof status === 'number' && { status }) }
  }
}

/** What a refusal says of the file; null for one that says nothing of it. */
function failureOf({ code, params }: DomainError): FileFailure | null {
  switch (code) {
    case 'ERR_FLOW_SECRET_HOST':
      return 'file_secret'
    case 'ERR_URL_FORBIDDEN':
      return params['reason'] === 'inside' ? 'file_inside' : 'file_address'
    case 'ERR_FILE_TOO_LARGE':
      return 'file_too_large'
    case 'ERR_FILE_TYPE':
      return 'file_type'
    case 'ERR_FILE_INFECTED':
      return 'file_refused'
    case 'ERR_FILE_REQUIRED':
      return 'file_empty'
    case 'ERR_NO_FILE_FOUND':
      if (params['reason'] === 'page') return 'file_page'
      if (params['reason'] === 'timeout') return 'file_timeout'
      return params['status'] === undefined ? 'file_unreachable' : 'file_refused'
    default:
      return null
  }
}
