import type { Company } from '../../schema/companies/companies.table.ts'

type Words = (parts: { operator: string; user: string; reason: string; until: string; readOnly: boolean }) => {
  title: string
  text: string
}

/** What a company's admins are told of the operator's visit, in the company's language. */
export const visitWords: Record<Company['language'], Words> = {
  pt: ({ operator, user, reason, until, readOnly }) => ({
    title: 'O suporte entrou na sua empresa',
    text: `${operator} entrou em nome de ${user}, até as ${until}, ${readOnly ? 'só para ler' : 'podendo fazer alterações'}. Motivo: ${reason}`,
  }),
  es: ({ operator, user, reason, until, readOnly }) => ({
    title: 'El soporte entró en tu empresa',
    text: `${operator} entró en nombre de ${user}, hasta las ${until}, ${readOnly ? 'solo para leer' : 'pudiendo hacer cambios'}. Motivo: ${reason}`,
  }),
  en: ({ operator, user, reason, until, readOnly }) => ({
    title: 'Support has entered your company',
    text: `${operator} signed in on behalf of ${user}, until ${until}, ${readOnly ? 'read-only' : 'and may make changes'}. Reason: ${reason}`,
  }),
}
