import { useLingui } from '@lingui/react/macro'
import {
  AlarmClock,
  CheckCheck,
  FolderInput,
  MailOpen,
  MessageSquareText,
  StickyNote,
  Tags,
  TextCursorInput,
  UserRoundCheck,
  Webhook,
  Workflow,
} from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import { valueText } from '../../schema/custom-fields/custom-fields.values.ts'
import type { ActionType, RuleAction } from '../../schema/actions/actions.inputs.ts'
import type { SnoozeChoice } from '../../schema/tickets/tickets.snooze-choices.ts'
import { useDirectory } from '../replica/directory.ts'
import { useFields } from '../custom-fields/custom-fields.rows.ts'
import { useFlows } from '../flows/flows.queries.ts'
import type { Language } from '../../schema/languages.ts'

export const actionIcons: Record<ActionType, LucideIcon> = {
  message: MessageSquareText,
  note: StickyNote,
  tag: Tags,
  queue: FolderInput,
  assign: UserRoundCheck,
  field: TextCursorInput,
  snooze: AlarmClock,
  flow: Workflow,
  webhook: Webhook,
  unread: MailOpen,
  resolve: CheckCheck,
}

/** What actions are called, and each as a sentence. */
export function useActionWords() {
  const { t, i18n } = useLingui()
  const { queues, users, tags } = useDirectory()
  const fields = useFields()
  const flows = useFlows().data ?? []
  const gone = t`(excluído)`
  const snoozes: Record<SnoozeChoice, string> = {
    hour: t`por uma hora`,
    threeHours: t`por três horas`,
    tomorrow: t`até amanhã de manhã`,
    monday: t`até segunda de manhã`,
    answer: t`até a resposta do contato`,
  }
  const named = (byId: ReadonlyMap<number, { name: string }>, ids: readonly number[]) =>
    ids.map((id) => byId.get(id)?.name ?? gone).join(', ')
  /** In one line. `fill` puts values into texts. */
  const sentence = (action: RuleAction, fill: (text: string) => string = (text) => text): string => {
    switch (action.type) {
      case 'message': {
        const text = fill(action.body)
        return t`Enviar ao contato: “${text}”`
      }
      case 'note': {
        const text = action.note
        return t`Anotar: “${text}”`
      }
      case 'tag': {
        const [added, removed] = [named(tags.byId, action.add), named(tags.byId, action.remove)]
        if (!removed) return t`Etiquetar com ${added}`
        return added ? t`Etiquetar com ${added} e tirar ${removed}` : t`Tirar a etiqueta ${removed}`
      }
      case 'queue': {
        const queue = named(queues.byId, [action.queueId])
        return t`Mover para a fila ${queue}`
      }
      case 'assign': {
        if (action.to === 'me') return t`Atribuir a quem executa`
        const user = named(users.byId, [action.to])
        return t`Atribuir a ${user}`
      }
      case 'field': {
        const known = fields.find(({ id }) => id === action.fieldId)
        const field = known?.name ?? gone
        // What is being typed and is none yet.
        if (Number.isNaN(action.value)) return t`Preencher ${field} com …`
        if (action.value === null) return t`Esvaziar o campo ${field}`
        const value = known ? valueText(known as never, action.value, i18n.locale as Language) : String(action.value)
        return t`Preencher ${field} com ${value}`
      }
      case 'snooze': {
        const until = snoozes[action.until]
        return t`Adiar: ${until}`
      }
      case 'flow': {
        const flow = flows.find(({ id }) => id === action.flowId)?.name
        return flow === undefined ? t`Começar um fluxo` : t`Começar o fluxo ${flow}`
      }
      case 'webhook':
        return t`Avisar um webhook`
      case 'unread':
        return t`Marcar como não lido`
      case 'resolve':
        return t`Resolver`
    }
  }
  return {
    sentence,
    snoozes,
    types: {
      message: t`Enviar mensagem`,
      note: t`Escrever observação`,
      tag: t`Etiquetar`,
      queue: t`Mover para fila`,
      assign: t`Atribuir`,
      field: t`Preencher campo`,
      snooze: t`Adiar`,
      flow: t`Começar um fluxo`,
      webhook: t`Avisar um webhook`,
      unread: t`Marcar como não lido`,
      resolve: t`Resolver`,
    } satisfies Record<ActionType, string>,
  }
}
