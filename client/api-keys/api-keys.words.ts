import { useLingui } from '@lingui/react/macro'
import type { ApiScope } from '../../schema/api-keys/api-keys.scopes.ts'

/** What each scope lets a program do. */
export function useScopeWords(): Record<ApiScope, string> {
  const { t } = useLingui()
  return {
    'messages:send': t`Enviar mensagens`,
    'messages:read': t`Ler mensagens`,
    'tickets:read': t`Ler atendimentos, filas, etiquetas, usuários e conexões`,
    'tickets:write': t`Transferir, fechar e etiquetar atendimentos`,
    'contacts:read': t`Ler contatos`,
    'contacts:write': t`Criar e mudar contatos`,
    'campaigns:read': t`Ler campanhas`,
    'campaigns:send': t`Iniciar campanhas`,
    'reports:read': t`Ler relatórios`,
    'connections:write': t`Ligar conexões e ler o QR code`,
    'webhooks:write': t`Administrar webhooks`,
  }
}
