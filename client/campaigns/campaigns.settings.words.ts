import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import type { CampaignSettingKey } from '../../schema/campaigns/campaigns.settings.ts'

interface Words {
  label: string
}
interface NumberWords extends Words {
  amount: (n: number) => string
}

const seconds = (n: number) => plural(n, { one: '# segundo', other: '# segundos' })

/** What each setting of campaigns is called, and what its numbers count. Does not compile while one has no words. */
export function useCampaignSettingWords(): Record<CampaignSettingKey, Words> &
  Record<'messageInterval' | 'longerIntervalAfter' | 'greaterInterval', NumberWords> {
  const { t } = useLingui()
  const interval = (n: number) => (n === 0 ? t`Sem intervalo` : seconds(n))
  return {
    messageInterval: { label: t`Entre mensagens`, amount: interval },
    longerIntervalAfter: {
      label: t`Intervalo maior após`,
      amount: (n) => (n === 0 ? t`Não definido` : plural(n, { one: '# envio', other: '# envios' })),
    },
    greaterInterval: { label: t`Intervalo maior`, amount: interval },
    dailyCap: { label: t`Mensagens por dia em cada conexão` },
    variables: { label: t`Variáveis` },
    optOutWords: { label: t`Palavras que descadastram` },
    returnWords: { label: t`Palavras que voltam a inscrever` },
    optOutReply: { label: t`Resposta a quem sai` },
    returnReply: { label: t`Resposta a quem volta` },
    hours: { label: t`Horários de envio` },
  }
}
