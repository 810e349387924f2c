import { useLingui } from '@lingui/react/macro'
import type { CostGroup } from '../../schema/costs/costs.inputs.ts'
import { ANY_MARKET, type Currency, type PriceSource } from '../../schema/costs/costs.price.ts'

/** Money as people read it, from millionths: sums in cents, prices as exact as they are. */
export function useMicros(): {
  sum: (micros: number, currency: Currency) => string
  price: (micros: number, currency: Currency) => string
} {
  const { i18n } = useLingui()
  const rangeText = (micros: number, currency: Currency, least: number, most: number) =>
    i18n.number(micros / 1_000_000, {
      ...{ style: 'currency', currency, minimumFractionDigits: least, maximumFractionDigits: most },
    })
  return {
    sum: (micros, currency) => rangeText(micros, currency, 2, 2),
    price: (micros, currency) => rangeText(micros, currency, 4, 6),
  }
}

export function useCostWords() {
  const { t, i18n } = useLingui()
  const groups: Record<CostGroup, string> = {
    month: t`Mês`,
    day: t`Dia`,
    connection: t`Conexão`,
    category: t`Categoria`,
    ticket: t`Atendimento`,
    agent: t`Atendente`,
    queue: t`Fila`,
    flow: t`Fluxo`,
    campaign: t`Campanha`,
    template: t({ message: 'Modelo', context: 'modelo de mensagem do WhatsApp' }),
  }
  /** What stands where a message belongs to none. */
  const none: Partial<Record<CostGroup, string>> = {
    category: t`Classe desconhecida`,
    ticket: t`Fora de atendimentos`,
    agent: t`Automação e programas`,
    queue: t`Sem fila`,
    flow: t`Fora de fluxos`,
    campaign: t`Fora de campanhas`,
    template: t`Sem modelo`,
  }
  const categories: Partial<Record<string, string>> = {
    marketing: t`Marketing`,
    utility: t`Utilidade`,
    authentication: t`Autenticação`,
    'authentication-international': t`Autenticação internacional`,
    service: t`Atendimento (resposta na janela)`,
    marketing_lite: t`Marketing simples`,
    referral_conversion: t`Depois de um anúncio`,
  }
  const sources: Record<PriceSource, string> = {
    given: t`Do produto`,
    operator: t`De todas as empresas`,
    company: t`Da empresa`,
  }
  const categoryOf = (category: string) => categories[category] ?? category
  const marketOf = (market: string) => {
    if (market === ANY_MARKET) return t`Outros países`
    try {
      return new Intl.DisplayNames(i18n.locale, { type: 'region' }).of(market) ?? market
    } catch {
      return market
    }
  }
  return { groups, none, categories, categoryOf, marketOf, sources }
}
