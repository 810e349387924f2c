import { useLingui } from '@lingui/react/macro'
import { BotMessageSquare, MessagesSquare, ReceiptText, Route, Webhook, Workflow } from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import type { BillingKey, BillingSystemName, IntegrationInput } from '../../schema/integrations/integrations.inputs.ts'

export type IntegrationKind = IntegrationInput['type']

interface KindWords {
  label: string
  hint: string
  icon: LucideIcon
  /** Classes of the tile that the icon stands on. */
  tile: string
}

/** What each type is called and looks like. Does not compile while one has no words. */
export function useKinds(): Record<IntegrationKind, KindWords> {
  const { t } = useLingui()
  return {
    dialogflow: {
      label: 'Dialogflow',
      hint: t`Um agente do Dialogflow ES responde.`,
      icon: MessagesSquare,
      tile: 'bg-amber-100 text-amber-800 dark:bg-amber-950 dark:text-amber-300',
    },
    n8n: {
      label: 'n8n',
      hint: t`Cada mensagem vai para um fluxo do n8n, que pode responder.`,
      icon: Workflow,
      tile: 'bg-rose-100 text-rose-800 dark:bg-rose-950 dark:text-rose-300',
    },
    webhook: {
      label: 'Webhook',
      hint: t`Cada mensagem vai para um programa seu, que pode responder.`,
      icon: Webhook,
      tile: 'bg-sky-100 text-sky-800 dark:bg-sky-950 dark:text-sky-300',
    },
    typebot: {
      label: 'Typebot',
      hint: t`Um typebot conversa com o contato.`,
      icon: BotMessageSquare,
      tile: 'bg-blue-100 text-blue-800 dark:bg-blue-950 dark:text-blue-300',
    },
    flowbuilder: {
      label: 'Flowbuilder',
      hint: t`Começa um fluxo desenhado aqui.`,
      icon: Route,
      tile: 'bg-emerald-100 text-emerald-800 dark:bg-emerald-950 dark:text-emerald-300',
    },
    billing: {
      label: t`Cobrança`,
      hint: t`O contato informa o CPF ou CNPJ e recebe a segunda via.`,
      icon: ReceiptText,
      tile: 'bg-violet-100 text-violet-800 dark:bg-violet-950 dark:text-violet-300',
    },
  }
}

export const billingNames: Record<BillingSystemName, string> = {
  asaas: 'Asaas',
  ixc: 'IXC Soft',
  mkauth: 'MK-Auth',
}

export function useBillingKeyWords(): Record<BillingKey, string> {
  const { t } = useLingui()
  return {
    asaas: t`Chave da API do Asaas`,
    ipixc: t`Endereço do IXC`,
    tokenixc: t`Token do IXC`,
    ipmkauth: t`Endereço do MK-Auth`,
    clientidmkauth: t`Client ID do MK-Auth`,
    clientsecretmkauth: t`Client Secret do MK-Auth`,
  }
}
