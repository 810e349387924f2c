import { useLingui } from '@lingui/react/macro'
import type { SettingKey } from '../../schema/settings/settings.keys.ts'

export interface SettingWords {
  label: string
  hint?: string
  /** The words of each value; a value without words shows as it is. */
  values?: Partial<Record<string, string>>
}

/** What each setting is called. Does not compile while a setting has no words. */
export function useSettingWords(): Record<SettingKey, SettingWords> {
  const { t } = useLingui()
  const onOff = { enabled: t`Ativado`, disabled: t`Desativado` }
  const hours = (count: number) => (count === 0 ? t`Nunca` : count === 1 ? t`1 hora` : t`${count} horas`)
  return {
    userRating: { label: t`Avaliações`, hint: t`Ao encerrar, o contato dá uma nota de 1 a 3.`, values: onOff },
    scheduleType: {
      label: t`Horário de atendimento`,
      hint: t`Fora do horário o contato recebe um aviso e espera.`,
      values: { disabled: t`Desativado`, queue: t`Por fila`, company: t`Da empresa` },
    },
    CheckMsgIsGroup: { label: t`Ignorar mensagens de grupos`, values: onOff },
    call: { label: t`Aceitar chamadas`, hint: t`Desativado, quem liga recebe um aviso para escrever.`, values: onOff },
    chatBotType: { label: t`Tipo de chatbot`, values: { text: t`Texto` } },
    sendGreetingAccepted: { label: t`Enviar saudação ao aceitar o atendimento`, values: onOff },
    sendMsgTransfTicket: { label: t`Avisar o contato da transferência`, values: onOff },
    sendGreetingMessageOneQueues: { label: t`Enviar saudação quando há uma só fila`, values: onOff },
    campaignsEnabled: { label: t`Campanhas`, values: { true: t`Ativado`, enabled: t`Ativado`, false: t`Desativado` } },
    reopenWindowHours: {
      label: t`Reabrir o atendimento por até`,
      hint: t`Depois desse prazo, uma nova mensagem abre outro atendimento.`,
      values: Object.fromEntries([0, 1, 2, 4, 8, 12, 24, 48, 72].map((count) => [String(count), hours(count)])),
    },
    allowregister: { label: t`Permitir cadastro de empresas`, values: onOff },
    viewregister: { label: t`Mostrar o cadastro na tela de login`, values: onOff },
    trial: { label: t`Dias de teste de uma empresa nova` },
    ipixc: { label: t`Endereço do IXC` },
    tokenixc: { label: t`Token do IXC` },
    ipmkauth: { label: t`Endereço do MK-Auth` },
    clientidmkauth: { label: t`Client ID do MK-Auth` },
    clientsecretmkauth: { label: t`Client secret do MK-Auth` },
    asaas: { label: t`Token do Asaas` },
  }
}
