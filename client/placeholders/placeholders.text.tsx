import { useLingui } from '@lingui/react/macro'
import { Budget } from '../../schema/budget.ts'
import { useFields } from '../custom-fields/custom-fields.rows.ts'
import {
  FIELD_PREFIX,
  type Placeholder,
  placeholderParts,
  replacePlaceholders,
} from '../../schema/placeholders/placeholders.ts'

/** What a variable says in a text; nothing where that is not known yet. */
export type ValueOf = (key: string) => string | undefined

/** What the variables are called on the screens; the doubled ones are spellings of one. */
export function useVariableNames(): Record<Placeholder, string> {
  const { t } = useLingui()
  const [greeting, time, day] = [t`Saudação`, t`Hora`, t`Data`]
  const [ticket, agent, company] = [t`Número do atendimento`, t`Quem atende`, t`Empresa`]
  return {
    firstName: t`Primeiro nome`,
    name: t`Nome`,
    ms: greeting,
    gretting: greeting,
    greeting,
    protocol: t`Número do protocolo`,
    hora: time,
    hour: time,
    date: day,
    data: day,
    data_hora: t`Data e hora`,
    number: t`Número`,
    email: t`E-mail`,
    ticket,
    ticket_id: ticket,
    user: agent,
    userName: agent,
    queue: t`Fila`,
    connection: t`Conexão`,
    company,
    name_company: company,
  }
}

/** Fields of the company's own as variables: what stands in the braces, and what they are called. */
export function useFieldVariables(): readonly (readonly [key: string, name: string])[] {
  const fields = useFields()
  return fields.map(({ key, name }) => [`${FIELD_PREFIX}${key}`, name] as const)
}

/** The name of a variable, whatever its capitals; one that nobody knows is called as it is written. */
export function useVariableName(): (key: string) => string {
  const names = useVariableNames()
  const own = useFieldVariables()
  return (key) =>
    [...Object.entries(names), ...own].find(([known]) => known.toLowerCase() === key.toLowerCase())?.[1] ?? key
}

/** A text that is sent later, with its variables as they will read where that is known, and else by their names. */
export function TemplateText({ text, values }: { text: string; values?: ValueOf }) {
  const nameOf = useVariableName()
  if (!text.includes('{{')) return text
  return placeholderParts(text).map((part, at) => {
    if (typeof part === 'string') return part
    return (
      values?.(part.key) || (
        <span
          key={at}
          className="rounded-sm bg-secondary box-decoration-clone px-1 py-px text-[0.9em] font-medium text-secondary-foreground"
        >
          {nameOf(part.key)}
        </span>
      )
    )
  })
}

/** The same where only words can stand: names in brackets. */
export function useTemplateWords(): (text: string, values?: ValueOf) => string {
  const nameOf = useVariableName()
  return (text, values) => replacePlaceholders(text, (key) => values?.(key) || `[${nameOf(key)}]`, new Budget())
}
