import { plural, t } from '@lingui/core/macro'
import type { BulkType } from '../../schema/tickets/tickets.bulk.ts'
import type { BulkPlan, Hindrance } from '../tickets/tickets.bulk-plan.ts'

/** What is done with several tickets, in words of the language of this moment. */
export function bulkWords() {
  const names: Record<BulkType, string> = {
    accept: t`Aceitar`,
    return: t`Devolver à fila`,
    resolve: t`Resolver`,
    transfer: t`Transferir`,
    tag: t`Mudar etiquetas`,
    snooze: t`Adiar`,
    read: t`Marcar como lida`,
  }
  return {
    names,
    /** Under an icon. */
    short: { ...names, return: t`Devolver`, tag: t`Etiquetas`, read: t`Lida` } satisfies Record<BulkType, string>,
    title: (count: number) => plural(count, { one: 'Transferir # atendimento', other: 'Transferir # atendimentos' }),
    snoozeTitle: (count: number) => plural(count, { one: 'Adiar # atendimento', other: 'Adiar # atendimentos' }),
    some: (type: BulkType, able: number, all: number) => {
      const name = names[type]
      return t`${name}: ${able} de ${all}.`
    },
    done: (type: BulkType, count: number): string => done[type](count),
  }
}

const done: Record<BulkType, (count: number) => string> = {
  accept: (count) => plural(count, { one: '# atendimento aceito', other: '# atendimentos aceitos' }),
  return: (count) =>
    plural(count, { one: '# atendimento devolvido à fila', other: '# atendimentos devolvidos à fila' }),
  resolve: (count) => plural(count, { one: '# atendimento resolvido', other: '# atendimentos resolvidos' }),
  transfer: (count) => plural(count, { one: '# atendimento transferido', other: '# atendimentos transferidos' }),
  tag: (count) =>
    plural(count, { one: 'Etiquetas de # atendimento mudadas', other: 'Etiquetas de # atendimentos mudadas' }),
  snooze: (count) => plural(count, { one: '# atendimento adiado', other: '# atendimentos adiados' }),
  read: (count) => plural(count, { one: '# conversa marcada como lida', other: '# conversas marcadas como lidas' }),
}

const reasons: { [why in Hindrance]?: (count: number) => string } = {
  ERR_FIELDS_REQUIRED: (count) =>
    plural(count, { one: '# pede campos antes de resolver', other: '# pedem campos antes de resolver' }),
  UNCHANGED: (count) => plural(count, { one: '# já está assim', other: '# já estão assim' }),
  ERR_TICKET_TAKEN: (count) => plural(count, { one: '# já é de um colega', other: '# já são de colegas' }),
  ERR_FORBIDDEN: (count) => plural(count, { one: '# é de outra pessoa', other: '# são de outras pessoas' }),
  ERR_TICKET_TRANSITION: (count) => plural(count, { one: '# já foi resolvido', other: '# já foram resolvidos' }),
}
const otherReason = (count: number) => plural(count, { one: '# não permite', other: '# não permitem' })

/** With how many it cannot be done, and why; undefined where it can with all. */
export function hindrances({ unable }: BulkPlan): string | undefined {
  if (unable.length === 0) return undefined
  const said = unable.map(({ why, count }) => (reasons[why] ?? otherReason)(count)).join(', ')
  return t`Ficam como estão: ${said}.`
}
