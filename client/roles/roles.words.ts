import { useLingui } from '@lingui/react/macro'
import type { Permission } from '../../schema/permissions.ts'
import type { TicketScopeName } from '../../schema/roles/roles.table.ts'

export const permissionGroups = ['tickets', 'contacts', 'campaigns', 'automation', 'reports', 'company'] as const
export type PermissionGroup = (typeof permissionGroups)[number]
/** Who sees all tickets is said by a role's scope. */
export type GrantablePermission = Exclude<Permission, 'tickets-manager:showall'>

/** What each permission lets people do, in words. Does not compile while one has none. */
export function useRoleWords(): {
  groups: Record<PermissionGroup, string>
  scopes: Record<TicketScopeName, string>
  permissions: Record<GrantablePermission, { group: PermissionGroup; label: string }>
} {
  const { t } = useLingui()
  const of = (group: PermissionGroup, label: string) => ({ group, label })
  return {
    groups: {
      tickets: t`Atendimentos`,
      contacts: t`Contatos`,
      campaigns: t`Campanhas`,
      automation: t`Automação`,
      reports: t`Relatórios`,
      company: t`Empresa`,
    },
    scopes: {
      own: t`Só os seus`,
      queues: t`Os seus e os das suas filas`,
      all: t`Todos`,
    },
    permissions: {
      'ticket-options:deleteTicket': of('tickets', t`Excluir atendimentos`),
      'tickets:bulk': of('tickets', t`Agir em vários atendimentos de uma vez`),
      'views:share': of('tickets', t`Compartilhar visões da lista de atendimentos`),
      'tickets:merge': of('tickets', t`Juntar dois atendimentos de um contato`),
      'tickets:spy': of('tickets', t`Espiar conversas sem abri-las`),
      'fields:write': of('tickets', t`Definir campos próprios de contatos e atendimentos`),
      'tickets:supervise': of('tickets', t`Ser chamado como supervisor, e dizer quem está ausente`),
      'tags:kanban': of('tickets', t`Montar o quadro Kanban`),
      'files:write': of('tickets', t`Montar listas de arquivos`),
      'macros:write': of('tickets', t`Montar macros para outras pessoas`),
      'quick-messages:any': of('tickets', t`Alterar respostas rápidas de todos`),
      'contacts-page:deleteContact': of('contacts', t`Excluir contatos`),
      'contacts:merge': of('contacts', t`Unir contatos repetidos`),
      'contacts:export': of('contacts', t`Exportar contatos`),
      'contacts:import': of('contacts', t`Importar planilhas de contatos`),
      'contacts:reveal': of('contacts', t`Mostrar um número oculto`),
      'campaigns:write': of('campaigns', t`Escrever campanhas, listas de contatos e segmentos`),
      'campaigns:send': of('campaigns', t`Iniciar, pausar e encerrar campanhas`),
      'opt-outs:write': of('campaigns', t`Anotar descadastros`),
      'automations:write': of('automation', t`Montar fluxos, frases, assistentes e integrações`),
      'automations:trace': of('automation', t`Ver por que cada resposta automática foi dada`),
      'rules:write': of('automation', t`Montar regras que agem nos atendimentos`),
      'dashboard:view': of('reports', t`Ver o painel`),
      'reports:read': of('reports', t`Ver relatórios`),
      'reports:export': of('reports', t`Exportar relatórios, agendar por e-mail e compartilhar visões`),
      'wall:read': of('reports', t`Mostrar o painel de parede`),
      'audit:read': of('reports', t`Ler a auditoria`),
      'drawer-admin-items:view': of('company', t`Ver no menu as telas da administração`),
      'users:write': of('company', t`Adicionar, alterar e excluir usuários`),
      'user-modal:editProfile': of('company', t`Dar perfis e papéis`),
      'user-modal:editQueues': of('company', t`Escolher as filas de cada pessoa`),
      'roles:write': of('company', t`Montar papéis`),
      'queues:write': of('company', t`Montar filas`),
      'connections-page:addConnection': of('company', t`Adicionar conexões e reiniciar todas`),
      'connections-page:editOrDeleteConnection': of('company', t`Alterar e excluir conexões`),
      'connections-page:actionButtons': of('company', t`Conectar e desconectar celulares`),
      'connections:token': of('company', t`Ver e trocar os tokens das conexões`),
      'api-keys:write': of('company', t`Criar chaves de API`),
      'webhooks:write': of('company', t`Montar webhooks`),
      'sla:write': of('company', t`Definir prazos de atendimento`),
      'templates:write': of('company', t`Criar e excluir modelos de mensagem`),
      'privacy:write': of('company', t`Exportar, reter e apagar os dados de pessoas`),
      'settings:write': of('company', t`Alterar as configurações`),
      'security:write': of('company', t`Decidir quem entra, e como`),
      'company:schedules': of('company', t`Alterar os horários da empresa`),
      'invoices:pay': of('company', t`Ver e pagar faturas`),
    },
  }
}
