import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import type { ConditionKind, RuleCondition } from '../../schema/rules/rules.inputs.ts'
import type { ConditionMet, RuleOutcome } from '../../schema/rules/rules.table.ts'
import { useActionWords } from '../actions/actions.words.tsx'
import { useTestText } from '../custom-fields/custom-fields.tests.tsx'
import { useConnections, useDirectory } from '../replica/directory.ts'
import { errorCodeText } from '../session/error-text.ts'
import { useWebhookChoices } from '../webhooks/webhooks.queries.ts'
import type { RuleForm } from './rules.queries.ts'
import { useConditionWords, useTriggerWords } from './rules.words.ts'

const hostOf = (url: string | undefined): string | undefined =>
  url !== undefined && URL.canParse(url) ? new URL(url).host : undefined

/** A rule, or a part of it, in plain words. */
export function useRuleSentences() {
  const { t, i18n } = useLingui()
  const triggers = useTriggerWords()
  const { statuses, rates } = useConditionWords()
  const { sentence: actionText, types } = useActionWords()
  const { queues, users, tags } = useDirectory()
  const connections = useConnections()
  const testText = useTestText()
  const hooks = useWebhookChoices()
  const or = new Intl.ListFormat(i18n.locale, { type: 'disjunction' })
  const and = new Intl.ListFormat(i18n.locale, { type: 'conjunction' })
  const gone = t`(excluído)`
  const named = (byId: ReadonlyMap<number, { name: string }>, ids: readonly number[], none = gone) =>
    or.format(ids.map((id) => (id === 0 ? none : (byId.get(id)?.name ?? gone))))

  const condition = (one: RuleCondition): string => {
    switch (one.kind) {
      case 'status': {
        const is = or.format(one.is.map((status) => statuses[status]))
        return t`a situação é ${is}`
      }
      case 'queue': {
        const names = named(queues.byId, one.ids, t`nenhuma`)
        return one.not ? t`a fila não é ${names}` : t`a fila é ${names}`
      }
      case 'user': {
        const names = named(users.byId, one.ids, t`ninguém`)
        return one.not ? t`o atendente não é ${names}` : t`o atendente é ${names}`
      }
      case 'connection': {
        const names = named(connections.byId, one.ids)
        return one.not ? t`a conexão não é ${names}` : t`a conexão é ${names}`
      }
      case 'tag': {
        const names = named(tags.byId, one.ids)
        return one.not ? t`não tem a etiqueta ${names}` : t`tem a etiqueta ${names}`
      }
      case 'tagAdded': {
        const names = named(tags.byId, one.ids)
        return t`foi posta a etiqueta ${names}`
      }
      case 'words': {
        const said = or.format(one.words.map((word) => `“${word}”`))
        return one.not ? t`a mensagem não contém ${said}` : t`a mensagem contém ${said}`
      }
      case 'field': {
        const test = testText(one.test)
        return one.entity === 'ticket' ? t`no atendimento, ${test}` : t`no contato, ${test}`
      }
      case 'hours':
        return one.open ? t`está dentro do horário` : t`está fora do horário`
      case 'rate': {
        const is = or.format(one.is.map((rate) => rates[rate]))
        return t`a avaliação é ${is}`
      }
    }
  }

  const trigger = ({ trigger: on, minutes }: Pick<RuleForm, 'trigger' | 'minutes'>): string => {
    if (on !== 'idle' || minutes === null) return triggers[on]
    return plural(minutes, { one: 'ninguém escreve por # minuto', other: 'ninguém escreve por # minutos' })
  }

  const when = (rule: Pick<RuleForm, 'trigger' | 'minutes' | 'match' | 'conditions'>): string => {
    const on = trigger(rule)
    const list = rule.conditions.map(condition)
    if (list.length === 0) return t`Quando ${on}`
    const asked = rule.match === 'all' ? and.format(list) : or.format(list)
    return t`Quando ${on} e ${asked}`
  }

  /** Who may not look after webhooks is not shown where it leads. */
  const toldText = (id: number): string => {
    const host = hostOf(hooks.find((hook) => hook.id === id)?.url)
    return host === undefined ? t`Avisar um webhook` : t`Avisar ${host}`
  }

  const then = ({ actions }: Pick<RuleForm, 'actions'>): string => {
    const list = actions.map((action) => {
      const text = action.type === 'webhook' ? toldText(action.webhookId) : actionText(action)
      return text.charAt(0).toLocaleLowerCase(i18n.locale) + text.slice(1)
    })
    const done = list.join('; ')
    return t`então ${done}`
  }

  const kinds: Record<ConditionKind, string> = {
    status: t`situação`,
    queue: t`fila`,
    user: t`atendente`,
    connection: t`conexão`,
    tag: t`etiquetas`,
    tagAdded: t`etiqueta posta`,
    words: t`palavras da mensagem`,
    field: t`campo`,
    hours: t`horário`,
    rate: t`avaliação`,
  }

  /** What a condition found when it was asked. */
  const found = ({ kind, found: value }: ConditionMet): string => {
    if (value === undefined) return ''
    const id = typeof value === 'number' ? value : null
    switch (kind) {
      case 'status':
        return statuses[value as keyof typeof statuses] ?? ''
      case 'queue':
        return id === null ? t`nenhuma` : (queues.byId.get(id)?.name ?? gone)
      case 'user':
        return id === null ? t`ninguém` : (users.byId.get(id)?.name ?? gone)
      case 'connection':
        return id === null ? t`nenhuma` : (connections.byId.get(id)?.name ?? gone)
      case 'tag':
      case 'tagAdded': {
        const ids = Array.isArray(value) ? (value as number[]) : []
        return ids.length === 0 ? t`nenhuma` : named(tags.byId, ids)
      }
      case 'words':
        return typeof value === 'string' ? `“${value}”` : t`nenhuma`
      case 'hours':
        return value === true ? t`aberto` : t`fechado`
      case 'rate':
        return rates[value as keyof typeof rates] ?? ''
      case 'field':
        return ''
    }
  }

  /** Why a rule that was to act did not, or what it did. */
  const outcome = ({ done, why, step }: RuleOutcome): string => {
    const guards: Record<string, string> = {
      depth: t`Outras regras já tinham agido, uma depois da outra: o limite é três.`,
      once: t`Ela já tinha agido depois do mesmo acontecimento.`,
      hour: t`Ela já agiu cinco vezes neste atendimento na última hora.`,
      many: t`Muitas regras já tinham agido depois do mesmo acontecimento.`,
    }
    if (why !== undefined) {
      const reason = guards[why] ?? errorCodeText(why)
      return step === undefined ? reason : t`Na ação ${step}: ${reason}`
    }
    return done.map((type) => types[type as keyof typeof types] ?? type).join(' · ')
  }

  return { condition, trigger, when, then, kinds, found, outcome }
}
