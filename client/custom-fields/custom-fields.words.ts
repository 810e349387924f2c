import { useLingui } from '@lingui/react/macro'
import type { FieldEntity, FieldType } from '../../schema/custom-fields/custom-fields.table.ts'
import type { FieldFault } from '../../schema/custom-fields/custom-fields.values.ts'

/** What things of fields are called. */
export function useFieldWords() {
  const { t } = useLingui()
  return {
    entities: { contact: t`Contatos`, ticket: t`Atendimentos` } satisfies Record<FieldEntity, string>,
    types: {
      text: t`Texto`,
      number: t`Número`,
      date: t`Data`,
      boolean: t`Sim ou não`,
      choice: t`Escolha`,
    } satisfies Record<FieldType, string>,
    faults: {
      type: t`Escreva um texto`,
      tooLong: t`No máximo 1.000 letras`,
      number: t`Escreva um número, como 12,5`,
      date: t`Escreva uma data, como 31/12/2026`,
      boolean: t`Responda sim ou não`,
      choice: t`Escolha uma das opções`,
      unknown: t`Este campo não existe mais`,
    } satisfies Record<FieldFault, string>,
  }
}
