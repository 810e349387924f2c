import { useLingui } from '@lingui/react/macro'
import type { ImportedRow, RowOutcome, RowReason } from '../../schema/contacts/contacts.sheet.ts'
import type { DuplicateReason } from './contacts.queries.ts'

export const tones: Record<RowOutcome, 'success' | 'info' | 'neutral' | 'warning' | 'destructive'> = {
  created: 'success',
  updated: 'info',
  unchanged: 'neutral',
  duplicate: 'warning',
  invalid: 'destructive',
}

/** What became of a row of an import, in words. */
export function useReportWords(): {
  outcomes: Record<RowOutcome, string>
  explain: (row: Pick<ImportedRow, 'reason' | 'firstLine'>) => string
} {
  const { t } = useLingui()
  const reasons: Record<RowReason, string> = {
    number_missing: t`Sem número`,
    full: t`A lista está cheia`,
    number: t`O número não pode ser lido: use DDD e número, ou + e o código do país`,
    numbers: t`Há mais de um número: deixe só um na célula`,
    email: t`E-mail inválido: ficou de fora`,
    name: t`Nome longo demais: foi cortado`,
  }
  return {
    outcomes: {
      created: t`Criado`,
      updated: t`Atualizado`,
      unchanged: t`Sem mudança`,
      duplicate: t`Repetido`,
      invalid: t`Recusado`,
    },
    explain: ({ reason, firstLine }) => {
      if (reason) return reasons[reason]
      return firstLine === undefined ? '' : t`O mesmo número está na linha ${firstLine}`
    },
  }
}

/** Why contacts seem to be one person, in words. */
export function useDuplicateWords(): Record<DuplicateReason, string> {
  const { t } = useLingui()
  return {
    lid: t`O mesmo WhatsApp: um tem o número, o outro a identidade oculta`,
    number: t`O mesmo número, escrito de dois modos`,
    email: t`O mesmo e-mail`,
  }
}
