import { useLingui } from '@lingui/react/macro'
import type { AuditAction, AuditEntity } from '../../schema/audit/audit.nouns.ts'

/** What was done, and what it was done to, in words. */
export function useAuditWords(): { actions: Record<AuditAction, string>; entities: Record<AuditEntity, string> } {
  const { t } = useLingui()
  return {
    actions: {
      create: t`Criou`,
      update: t`Alterou`,
      delete: t`Excluiu`,
      login: t`Entrou`,
      logout: t`Saiu`,
      refused: t`Senha recusada`,
      lock: t`Tentativas demais`,
      revoke: t`Revogou`,
      publish: t`Publicou`,
      start: t`Iniciou`,
      pause: t`Pausou`,
      cancel: t`Cancelou`,
      finish: t`Terminou`,
      export: t`Exportou`,
      import: t`Importou`,
      impersonate: t`Entrou em nome de`,
      reveal: t`Revelou`,
    },
    entities: {
      user: t`Usuário`,
      queue: t`Fila`,
      queueOption: t`Opção de fila`,
      connection: t`Conexão`,
      setting: t`Configuração`,
      company: t`Empresa`,
      plan: t`Plano`,
      tag: t`Etiqueta`,
      prompt: t`Assistente de IA`,
      integration: t`Integração`,
      flow: t`Fluxo`,
      phrase: t`Frase`,
      flowDefaults: t`Fluxos padrões`,
      flowSecret: t`Segredo de fluxo`,
      apiKey: t`Chave de API`,
      webhook: t`Webhook`,
      campaign: t`Campanha`,
      campaignSetting: t`Configuração de campanhas`,
      segment: t`Segmento`,
      contactList: t`Lista de contatos`,
      fileList: t`Lista de arquivos`,
      announcement: t`Comunicado`,
      help: t`Ajuda`,
      branding: t`Marca`,
      session: t`Sessão`,
      contacts: t`Contatos`,
      optOuts: t`Descadastros`,
      job: t`Tarefa do servidor`,
      audit: t`Auditoria`,
    },
  }
}
