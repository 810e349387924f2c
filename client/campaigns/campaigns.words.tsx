import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import type { WaitReason } from '../../schema/campaigns/campaigns.waiting.ts'
import type { EndReason } from '../../schema/campaigns/campaigns.report.ts'
import type { CampaignStatus } from '../../schema/campaigns/campaigns.state.ts'
import { cloudFailureText } from '../kit/cloud-failures.ts'
import { Badge } from '../ui/badge.tsx'

const statuses: Record<
  CampaignStatus,
  { text: MessageDescriptor; tone: 'neutral' | 'info' | 'primary' | 'warning' | 'success' }
> = {
  INATIVA: { text: msg`Inativa`, tone: 'neutral' },
  PROGRAMADA: { text: msg`Programada`, tone: 'info' },
  EM_ANDAMENTO: { text: msg`Em Andamento`, tone: 'primary' },
  PAUSADA: { text: msg`Pausada`, tone: 'warning' },
  CANCELADA: { text: msg`Cancelada`, tone: 'neutral' },
  FINALIZADA: { text: msg`Finalizada`, tone: 'success' },
}

export function CampaignStatusBadge({ status }: { status: CampaignStatus }) {
  const { i18n } = useLingui()
  const { text, tone } = statuses[status]
  return <Badge tone={tone}>{i18n._(text)}</Badge>
}

/** What the states of campaigns are called. */
export function useCampaignStatusNames(): Record<CampaignStatus, string> {
  const { i18n } = useLingui()
  const names = Object.entries(statuses).map(([status, { text }]) => [status, i18n._(text)])
  return Object.fromEntries(names) as Record<CampaignStatus, string>
}

const reasons: Record<string, MessageDescriptor> = {
  opted_out: msg`Pediu para não receber`,
  not_on_whatsapp: msg`Sem WhatsApp`,
  no_number: msg`Sem número`,
  not_confirmed: msg`Não respondeu à confirmação`,
  declined: msg`Respondeu que não`,
  no_values: msg`Falta algo para o modelo`,
  too_many: msg`Além do limite da campanha`,
  duplicate: msg`Repetido`,
  no_server_ack: msg`O WhatsApp não confirmou`,
  463: msg`O WhatsApp recusou novas conversas`,
  not_sent: msg`Não foi possível enviar`,
  unlinked: msg`O celular foi desconectado`,
  no_connection: msg`A campanha terminou sem conexão`,
}

/** Why somebody gets no message. */
export function useReasonWords(): (reason: string | null) => string {
  const { i18n, t } = useLingui()
  return (reason) => {
    const known = reason === null ? undefined : (reasons[reason] ?? cloudFailureText(reason))
    return known ? i18n._(known) : t`Recusado pelo WhatsApp (${reason ?? '?'})`
  }
}

const pauses: Record<string, MessageDescriptor> = {
  hand: msg`Pausada por uma pessoa`,
  refused: msg`O WhatsApp recusou novas conversas desta conexão: espere antes de retomar`,
  locked: msg`O WhatsApp limitou esta conexão`,
  logout: msg`O celular foi desconectado`,
  rate_failed: msg`Muitas mensagens falharam`,
  rate_not_on_whatsapp: msg`Muitos números não têm WhatsApp`,
  rate_undelivered: msg`Muitas mensagens não chegam aos celulares`,
  rate_opted_out: msg`Muitas pessoas pediram para não receber`,
  too_long: msg`Um texto passaria do limite de uma mensagem com suas variáveis: encurte as variáveis e retome, ou cancele, encurte o texto e reinicie`,
  template_paused: msg`O WhatsApp pausou o modelo desta campanha, porque contatos reclamaram dele: retome quando ele voltar`,
  template_stopped: msg`O modelo desta campanha não pode ser enviado: veja o estado dele na tela de modelos`,
  template_drift: msg`O modelo desta campanha passou para Marketing, que custa cerca de nove vezes mais: confirme isso na tela de modelos e retome`,
  template_file: msg`O anexo desta campanha não é o arquivo que o cabeçalho do modelo pede: cancele, troque o anexo e recomece`,
  service_spam: msg`O WhatsApp tomou as mensagens desta conexão por spam: espere, e retome com menos pessoas, só as que contam com elas`,
  service_limited: msg`A Meta limitou esta conta: veja o motivo no Gerenciador do WhatsApp antes de retomar`,
  service_withdrawn: msg`A Meta não deixa mais usar esta conta: veja a conexão e ligue a conta de novo antes de retomar`,
  service_setup: msg`Falta algo na conta da Meta, como nome de exibição ou forma de pagamento: resolva no Gerenciador do WhatsApp e retome`,
  template_gone: msg`O modelo desta campanha não existe mais: cancele, ou crie outra com outro modelo`,
  restored: msg`Uma cópia de segurança foi restaurada: quem já recebeu depois dela receberia de novo`,
}

/** Why a campaign stands still. */
export function usePauseWords(): (reason: string | null) => string | null {
  const { i18n } = useLingui()
  return (reason) => {
    const known = reason === null ? undefined : pauses[reason]
    return known ? i18n._(known) : null
  }
}

const ends: Record<EndReason, MessageDescriptor> = {
  no_connection: msg`A campanha terminou sem conexão: o que faltava não foi enviado.`,
  no_people: msg`A campanha terminou sem pessoas: não havia a quem enviar.`,
}

/** Why a campaign ended before everybody was served. */
export function useEndWords(): (reason: EndReason) => string {
  const { i18n } = useLingui()
  return (reason) => i18n._(ends[reason])
}

const waits: Record<WaitReason, MessageDescriptor> = {
  connection: msg`A conexão está fora do ar`,
  hours: msg`Fora do horário de envio`,
  daily_cap: msg`O limite de mensagens por dia foi atingido`,
  new_chats: msg`O limite de conversas novas por dia foi atingido`,
  locked: msg`O WhatsApp não deixa esta conexão começar conversas novas`,
  answer: msg`Ainda não responderam à pergunta`,
}

/** Why people of a campaign that goes on have nothing yet. */
export function useWaitWords(): (reason: WaitReason) => string {
  const { i18n } = useLingui()
  return (reason) => i18n._(waits[reason])
}

/** Which of the names in a text become nothing: unknown ones, and those without a value. */
export function WithoutValue({ names }: { names: readonly string[] }) {
  if (names.length === 0) return null
  return (
    <p className="mt-1 text-xs text-muted-foreground">
      <Trans>Sem valor: {names.join(', ')}</Trans>
    </p>
  )
}
