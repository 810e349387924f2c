import type { SaidField } from '../custom-fields/custom-fields.values.ts'
import type { LeavingWords } from '../flows/flows.leaving.ts'
import type { Holiday, ScheduleEntry } from '../hours/hours.open.ts'
import type { IntegrationType } from '../integrations/integrations.table.ts'
import type { OwnFile } from '../messages/messages.own.ts'
import type { Language } from '../languages.ts'

/** What the admins of a company have set about answering by itself, as it counts for one connection. */
export interface AutomationRules {
  /** Fields of the company's own that texts may say; missing where it has none. */
  fields?: readonly SaidField[]
  company: {
    name: string
    language: Language
    /** IANA name. */
    timeZone: string
    schedules: readonly ScheduleEntry[]
    holidays?: readonly Holiday[]
    /** Whose hours count: `disabled`, `queue` or `company`. */
    scheduleType: string
    /** The words that lead out of a flow; missing: the usual ones. */
    leaving?: LeavingWords
    /** With one queue, the connection's greeting is sent too (`sendGreetingMessageOneQueues`). */
    greetsAlone: boolean
    /** Without a subscription nothing is said by itself. */
    isSubscribed: boolean
  }
  connection: {
    id: number
    name: string
    greetingMessage: string
    outOfHoursMessage: string
    schedules: readonly ScheduleEntry[]
    promptId: number | null
    integrationId: number | null
    /** The queue menu is sent so many times without a choice; 0 without end. */
    maxUseBotQueues: number
    /** Minutes after which it may be sent again; 0 never in this service. */
    timeUseBotQueues: number
    /** In the order of the menu. */
    queueIds: readonly number[]
  }
  queues: ReadonlyMap<number, QueueRules>
  /** Those that are switched on and whose flow can begin. */
  phrases: readonly PhraseRules[]
  /** Flows that can begin; null where there is none. */
  welcomeFlowId: number | null
  defaultFlowId: number | null
  /** Those that may answer. */
  promptIds: ReadonlySet<number>
  /** Where the conversations of each of them go on. */
  promptQueues?: ReadonlyMap<number, number>
  integrations: ReadonlyMap<number, { type: IntegrationType; flowId: number | null }>
}

export interface QueueRules {
  id: number
  name: string
  greetingMessage: string
  /** Goes before the greeting. */
  file: OwnFile | null
  outOfHoursMessage: string
  schedules: readonly ScheduleEntry[]
  promptId: number | null
  integrationId: number | null
  options: readonly OptionRules[]
}

/** A line of a queue's option tree. */
export interface OptionRules {
  id: number
  parentId: number | null
  option: number
  title: string
  message: string
  file: OwnFile | null
}

export interface PhraseRules {
  id: number
  /** In lower case and trimmed; `*` is any text. */
  phraseKey: string
  /** Null: on any connection. */
  whatsappId: number | null
  flowId: number
}

/** Whether who comes to a queue is told something. */
export const hasGreeting = ({ greetingMessage, file }: QueueRules): boolean =>
  greetingMessage.trim() !== '' || file !== null

/** Whether nothing is set that could answer a message, whatever it says and wherever its ticket is. */
export function answersNothing(rules: AutomationRules): boolean {
  const { company, connection, queues } = rules
  const isFlow = rules.phrases.length > 0 || rules.welcomeFlowId !== null || rules.defaultFlowId !== null
  const isBot = connection.promptId !== null || connection.integrationId !== null
  const isMenu = connection.queueIds.length > 1
  const greets = connection.greetingMessage.trim() !== '' && (connection.queueIds.length === 0 || company.greetsAlone)
  const queueSpeaks = [...queues.values()].some(
    (queue) =>
      hasGreeting(queue) || queue.promptId !== null || queue.integrationId !== null || queue.options.length > 0,
  )
  return !(isFlow || isBot || isMenu || greets || queueSpeaks || company.scheduleType !== 'disabled')
}
