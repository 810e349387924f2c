import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { CircleCheck, CircleX, CloudOff, LoaderCircle, QrCode, Smartphone, Unplug } from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import type { ConnectionStatus } from '../../schema/whatsapps/whatsapps.table.ts'
import { cloudFailureText } from '../kit/cloud-failures.ts'
import { Badge } from '../ui/badge.tsx'
import { Tooltip } from '../ui/tooltip.tsx'

const statuses: Record<
  ConnectionStatus,
  {
    icon: LucideIcon
    tone: 'success' | 'warning' | 'destructive' | 'info' | 'neutral'
    label: MessageDescriptor
    help: MessageDescriptor
  }
> = {
  CONNECTED: { icon: CircleCheck, tone: 'success', label: msg`Conectado`, help: msg`Recebendo e enviando mensagens.` },
  OPENING: { icon: LoaderCircle, tone: 'info', label: msg`Conectando`, help: msg`A sessão está sendo aberta.` },
  qrcode: {
    icon: QrCode,
    tone: 'warning',
    label: msg`Aguardando leitura do QR`,
    help: msg`Leia o código com o celular para vincular o número.`,
  },
  PAIRING: {
    icon: Smartphone,
    tone: 'info',
    label: msg`Pareando`,
    help: msg`O código foi lido; o celular está confirmando.`,
  },
  TIMEOUT: {
    icon: CloudOff,
    tone: 'destructive',
    label: msg`Sem resposta`,
    help: msg`O WhatsApp não responde. Continuamos tentando; verifique se o celular tem internet.`,
  },
  DISCONNECTED: {
    icon: CircleX,
    tone: 'destructive',
    label: msg`Desconectado`,
    help: msg`Nenhuma mensagem entra ou sai por esta conexão.`,
  },
  PENDING: {
    icon: Unplug,
    tone: 'destructive',
    label: msg`Desvinculado`,
    help: msg`O celular encerrou a sessão. Vincule de novo com um novo QR.`,
  },
}

/** What is said of a connection that no phone links. */
const withoutPhone: Partial<Record<ConnectionStatus, MessageDescriptor>> = {
  TIMEOUT: msg`A API oficial não responde. Continuamos tentando.`,
  OPENING: msg`Os dados estão sendo conferidos na API oficial.`,
}

/** `pair`: a phone links it. */
export function StatusBadge({ status, pair = true }: { status: ConnectionStatus; pair?: boolean }) {
  const { t } = useLingui()
  const { icon: Icon, tone, label, help } = statuses[status]
  return (
    <Tooltip content={t((!pair && withoutPhone[status]) || help)}>
      <span tabIndex={0} className="focus-ring inline-flex rounded-full">
        <Badge tone={tone} size="md" data-status={status}>
          <Icon aria-hidden="true" className={status === 'OPENING' ? 'animate-spin' : undefined} />
          {t(label)}
        </Badge>
      </span>
    </Tooltip>
  )
}

const problems: Record<string, MessageDescriptor | undefined> = {
  logged_out: msg`O celular desvinculou este aparelho. Leia um novo QR.`,
  qr_expired: msg`Ninguém leu o QR a tempo. Peça um novo.`,
  replaced: msg`A sessão foi aberta em outro lugar e esta foi encerrada.`,
  temporarily_banned: msg`O WhatsApp suspendeu este número por um tempo. Aguarde antes de tentar de novo.`,
  locked: msg`O WhatsApp bloqueou o acesso deste número.`,
  banned: msg`O WhatsApp baniu este número.`,
  outdated: msg`O WhatsApp exige uma versão mais nova. Tente de novo; se continuar, atualize o servidor.`,
  certificate: msg`O servidor não conseguiu provar que é o WhatsApp; a conexão foi interrompida por segurança.`,
  relink: msg`É preciso vincular o celular de novo.`,
  cloud_unset: msg`Faltam os dados desta conexão na API oficial. Informe-os na tela de conexões.`,
  unserved: msg`Este servidor não atende esse tipo de conexão. Atualize o servidor ou exclua a conexão.`,
  passkey: msg`O WhatsApp pediu a chave de acesso (passkey) desta conta, que só os aplicativos dele sabem pedir. Vincule outro número, ou tire a chave de acesso da conta no celular.`,
}

/** What troubled a session last, in words; `null` when nothing did. */
export function useProblemText(): (lastError: string | null | undefined) => string | null {
  const { t } = useLingui()
  return (lastError) => {
    if (!lastError) return null
    const known = problems[lastError]
    if (known) return t(known)
    const official = cloudFailureText(lastError)
    if (official) return t(official)
    const code = /^code_(\d+)$/.exec(lastError)?.[1]
    return code ? t`A conexão com o WhatsApp caiu (código ${code}). Continuamos tentando.` : lastError
  }
}
