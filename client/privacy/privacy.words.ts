import { useLingui } from '@lingui/react/macro'
import type { PrivacySettingKey } from '../../schema/settings/settings.keys.ts'
import type { ErasedKind } from '../../schema/privacy/privacy.kinds.ts'
import type { ExportState, RequestKind, RequestLaw, RequestState } from '../../schema/privacy/privacy.table.ts'

/** What of a person's data is called how. Does not compile while something has no word. */
export function usePrivacyWords(): {
  kinds: Record<ErasedKind, string>
  requests: Record<RequestKind, string>
  laws: Record<RequestLaw, string>
  states: Record<RequestState, string>
  exports: Record<ExportState, string>
} {
  const { t } = useLingui()
  return {
    kinds: {
      messages: t`Mensagens`,
      files: t`Arquivos`,
      tickets: t`Atendimentos, que ficam sem o que foi dito`,
      notes: t`Observações`,
      schedules: t`Agendamentos`,
      drafts: t`Rascunhos`,
      campaigns: t`Envios de campanhas`,
      lists: t`Linhas de listas de contatos`,
      optOuts: t`Descadastros, que continuam valendo`,
      automation: t`Memória de robôs e assistentes`,
      traces: t`Registros do porquê de respostas`,
      webhooks: t`Avisos para programas`,
      jobs: t`Tarefas do servidor`,
      wire: t`Chaves e cópias da conexão com o WhatsApp`,
      names: t`Outros nomes e números do contato`,
      exports: t`Arquivos com os dados`,
      requests: t`Pedidos no registro, que ficam sem o nome`,
    },
    requests: {
      access: t`Acesso aos dados`,
      correction: t`Correção`,
      erasure: t`Eliminação`,
      portability: t`Portabilidade`,
      objection: t`Oposição ao uso`,
      information: t`Informação sobre o uso`,
    },
    laws: { lgpd: t`LGPD, 15 dias`, gdpr: t`GDPR, um mês` },
    states: { open: t`Em aberto`, done: t`Atendido`, refused: t`Recusado` },
    exports: {
      waiting: t`Na fila`,
      running: t`Reunindo`,
      ready: t`Pronto`,
      failed: t`Não deu certo`,
      cancelled: t`Cancelado`,
    },
  }
}

/** What the settings of the privacy screen are called where they stand among others. */
export function usePrivacySettingWords(): Record<
  PrivacySettingKey,
  { label: string; values?: Record<string, string> }
> {
  const { t } = useLingui()
  return {
    retentionMessages: { label: t`Dias que as mensagens são guardadas` },
    retentionMedia: { label: t`Dias que os arquivos das mensagens são guardados` },
    retentionTraces: { label: t`Dias que o porquê das respostas é guardado` },
    maskNumbers: {
      label: t`Ocultar os números dos contatos`,
      values: { enabled: t`Ativado`, disabled: t`Desativado` },
    },
    privacyOfficer: { label: t`Encarregado dos dados` },
    privacyContact: { label: t`Como escrever ao encarregado` },
  }
}
