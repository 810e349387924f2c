import { decide } from '../../schema/automation/automation.decide.ts'
import type { AutomationRules, QueueRules } from '../../schema/automation/automation.rules.ts'
import { blank } from '../../schema/automation/automation.state.ts'
import type { OwnFile } from '../../schema/messages/messages.own.ts'
import type { Language } from '../../schema/languages.ts'
import type { QueueOption } from './queue-options.queries.ts'

/** One bubble of the trial: what the contact writes, or what they are told. */
export interface Line {
  from: 'contact' | 'us'
  text: string
  file: string | null
}

interface Shown {
  id: number
  name: string
  greetingMessage: string
  /** Name of the file that goes with the greeting. */
  fileName: string | null
}

const fileOf = (name: string | null, mimetype = ''): OwnFile | null =>
  name === null ? null : { path: '', name, mimetype, size: null, voice: false }

/**
 * What a contact who comes to the queue is told, and what each of their messages leads to: the rules of the server, on
 * the tree as it stands.
 */
export function walk(
  queue: Shown,
  options: readonly QueueOption[],
  company: { name: string; language: Language; timeZone: string },
  texts: readonly string[],
  now: Date,
): Line[] {
  const queueRules: QueueRules = {
    ...{ id: queue.id, name: queue.name, greetingMessage: queue.greetingMessage, outOfHoursMessage: '', schedules: [] },
    ...{ promptId: null, integrationId: null, file: fileOf(queue.fileName) },
    options: options.map(({ id, parentId, option, title, message, mediaName, mediaMime }) => ({
      ...{ id, parentId, option, title, message },
      file: fileOf(mediaName, mediaMime ?? ''),
    })),
  }
  const rules: AutomationRules = {
    company: { ...company, schedules: [], scheduleType: 'disabled', greetsAlone: false, isSubscribed: true },
    connection: {
      ...{ id: 0, name: '', greetingMessage: '', outOfHoursMessage: '', schedules: [], promptId: null },
      ...{ integrationId: null, maxUseBotQueues: 0, timeUseBotQueues: 0, queueIds: [queue.id] },
    },
    queues: new Map([[queue.id, queueRules]]),
    phrases: [],
    ...{ welcomeFlowId: null, defaultFlowId: null, promptIds: new Set<number>(), integrations: new Map() },
  }
  let memory = blank
  const lines: Line[] = []
  // The first word is the one that led to the queue.
  for (const [n, text] of ['', ...texts].entries()) {
    if (n > 0) lines.push({ from: 'contact', text, file: null })
    const answer = decide(rules, {
      now,
      ticket: { id: 0, status: 'pending', userId: null, queueId: queue.id, isGroup: false },
      contact: { name: 'Ana', number: '5511987654321', email: '', disableBot: false, isNew: false },
      message: { text, writtenAt: now },
      wasServed: false,
      memory,
      run: null,
    })
    memory = answer.memory
    for (const action of answer.actions)
      if (action.kind === 'say') lines.push({ from: 'us', text: action.body, file: action.file?.name ?? null })
  }
  return lines
}
