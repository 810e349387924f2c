import { useLingui } from '@lingui/react/macro'
import type { CompanyRegion } from '../../schema/companies/companies.inputs.ts'
import { OUR_NAME } from '../../schema/companies/product-name.ts'
import { settingRules } from '../../schema/settings/settings.keys.ts'
import type { ShownSettingKey } from '../../schema/settings/settings.keys.ts'

export interface SettingWords {
  label: string
  hint?: string
  /** The words of each value; a value without words shows as it is. */
  values?: Partial<Record<string, string>>
  /** Of a text: lines that are often wanted, to be added by a click. */
  offered?: readonly string[]
}

/** What each setting with an effect is called. Does not compile while one has no words. */
export function useSettingWords(): Record<ShownSettingKey, SettingWords> {
  const { t, i18n } = useLingui()
  const ours = OUR_NAME
  const onOff = { enabled: t`Ativado`, disabled: t`Desativado` }
  const hours = (count: number) => (count === 0 ? t`Nunca` : count === 1 ? t`1 hora` : t`${count} horas`)
  return {
    userRating: { label: t`Avaliações`, hint: t`Ao encerrar, o contato dá uma nota de 1 a 3.`, values: onOff },
    askComment: {
      label: t`Perguntar o motivo da nota`,
      hint: t`Quem dá uma nota é perguntado uma vez; a próxima mensagem, em até cinco minutos, é o comentário e não abre um atendimento.`,
      values: onOff,
    },
    scheduleType: {
      label: t`Horário de atendimento`,
      hint: t`Fora do horário o contato recebe a mensagem da conexão ou da fila, e espera. Sem mensagem, não há restrição.`,
      values: { disabled: t`Desativado`, queue: t`Por fila`, company: t`Da empresa` },
    },
    CheckMsgIsGroup: { label: t`Ignorar mensagens de grupos`, values: onOff },
    call: { label: t`Aceitar chamadas`, hint: t`Desativado, quem liga recebe um aviso para escrever.`, values: onOff },
    sendGreetingAccepted: { label: t`Enviar saudação ao aceitar o atendimento`, values: onOff },
    sendMsgTransfTicket: { label: t`Avisar o contato da transferência`, values: onOff },
    sendGreetingMessageOneQueues: {
      label: t`Enviar a saudação da conexão também com uma só fila`,
      hint: t`Com várias filas ela é sempre enviada, acima do menu.`,
      values: onOff,
    },
    reopenWindowHours: {
      label: t`Reabrir o atendimento por até`,
      hint: t`Depois desse prazo, uma nova mensagem abre outro atendimento.`,
      values: Object.fromEntries([0, 1, 2, 4, 8, 12, 24, 48, 72].map((count) => [String(count), hours(count)])),
    },
    agentCapacity: {
      label: t`Atendimentos abertos por atendente, no máximo`,
      hint: t`Quem chega a tantos não recebe mais pelas filas que distribuem. Aceitar à mão é sempre possível; um atendente pode ter outro limite.`,
      values: { '0': t`Sem limite` },
    },
    messageCurrency: {
      label: t`Moeda dos custos de mensagens`,
      hint: t`A moeda em que a Meta cobra a conta do WhatsApp. Os preços de cada moeda são escritos à parte; nada é convertido.`,
      values: { BRL: t`Real (R$)`, USD: t`Dólar (US$)` },
    },
    sessions: {
      label: t`Acessos ao mesmo tempo`,
      hint: t`Com um só, entrar em outro computador encerra o anterior.`,
      values: { one: t`Um por pessoa`, many: t`Vários por pessoa` },
    },
    require2fa: {
      label: t`Exigir verificação em duas etapas`,
      hint: t`Cada pessoa tem sete dias para ativá-la no seu perfil.`,
      values: { none: t`De ninguém`, admins: t`Dos administradores`, all: t`De todos` },
    },
    requireOperator2fa: {
      label: t`Exigir verificação em duas etapas dos operadores`,
      hint: t`Com sete dias para ativá-la.`,
      values: onOff,
    },
    passwordPolicy: {
      label: t`Exigir senhas fortes`,
      hint: t`Pelo menos 10 caracteres, e nenhuma fácil de adivinhar. Vale para senhas novas.`,
      values: { form: t`Desativado`, strong: t`Ativado` },
    },
    supportAccess: {
      label: t`Acesso do suporte`,
      hint: t`O operador entra em nome de um usuário por meia hora, com motivo; os administradores são avisados.`,
      values: { enabled: t`Permitido`, disabled: t`Proibido` },
    },
    ipAllowList: {
      label: t`Endereços permitidos`,
      hint: t`Redes de onde se pode entrar, uma por linha, como 203.0.113.0/24. Vazio: de qualquer lugar. Com redes, os avisos com o aplicativo fechado não dizem o que foi escrito.`,
    },
    flowStopWords: {
      label: t`Palavras que encerram um fluxo`,
      hint: t`Uma por linha. Quem escreve só uma delas sai do fluxo, e o atendimento é encerrado. Vazio: nenhuma.`,
      offered: [t`sair`],
    },
    flowMenuWords: {
      label: t`Palavras que levam de um fluxo ao menu de filas`,
      hint: t`Uma por linha. A opção de um menu que tem a mesma palavra vale mais. Vazio: nenhuma.`,
      offered: [t`voltar`],
    },
    promptMonthlyTokens: {
      label: t`Tokens de IA por mês`,
      hint: t`Somados de todos os assistentes. Quando acabam, eles passam o atendimento para a fila.`,
      values: Object.fromEntries(
        settingRules.promptMonthlyTokens.values.map((count) => [
          count,
          count === '0' ? t`Sem limite` : Number(count).toLocaleString(i18n.locale),
        ]),
      ),
    },
    allowregister: { label: t`Permitir cadastro de empresas`, values: onOff },
    viewregister: { label: t`Mostrar o cadastro na tela de login`, values: onOff },
    trial: { label: t`Dias de teste de uma empresa nova` },
    productName: {
      label: t`Nome do produto`,
      hint: t`Na entrada, nas abas do navegador, no aplicativo instalado, nos textos e nos e-mails. Vazio: ${ours}.`,
    },
  }
}

/** Where each setting of a company stands on its screen, in this order. Does not compile while one stands nowhere. */
const groupOf: Record<Exclude<ShownSettingKey, PlatformKey>, SettingGroup> = {
  scheduleType: 'service',
  reopenWindowHours: 'service',
  agentCapacity: 'service',
  CheckMsgIsGroup: 'service',
  call: 'service',
  userRating: 'service',
  askComment: 'service',
  sendGreetingAccepted: 'messages',
  sendMsgTransfTicket: 'messages',
  sendGreetingMessageOneQueues: 'messages',
  flowStopWords: 'messages',
  flowMenuWords: 'messages',
  promptMonthlyTokens: 'ai',
  sessions: 'security',
  require2fa: 'security',
  passwordPolicy: 'security',
  supportAccess: 'security',
  ipAllowList: 'security',
  messageCurrency: 'region',
}
type PlatformKey = 'productName' | 'allowregister' | 'viewregister' | 'trial' | 'requireOperator2fa'
export const settingGroups = ['region', 'service', 'messages', 'ai', 'security'] as const
export type SettingGroup = (typeof settingGroups)[number]

export const keysOf = (group: SettingGroup): ShownSettingKey[] =>
  (Object.keys(groupOf) as (keyof typeof groupOf)[]).filter((key) => groupOf[key] === group)

export function useGroupWords(): Record<SettingGroup, { title: string; description: string }> {
  const { t } = useLingui()
  return {
    region: { title: t`Empresa`, description: t`Vale para toda a empresa, assim que muda.` },
    service: {
      title: t({ message: 'Atendimento', context: 'seção das configurações' }),
      description: t`Quando e como a empresa atende.`,
    },
    messages: { title: t`Mensagens automáticas`, description: t`O que o contato recebe sem que ninguém escreva.` },
    ai: { title: t`Inteligência artificial`, description: t`Quanto os assistentes podem gastar.` },
    security: {
      title: t({ message: 'Segurança', context: 'seção das configurações' }),
      description: t`Quem entra, de onde e com que prova.`,
    },
  }
}

/** What is said of where the company is, which is no setting of its own table. */
export function useRegionWords(): Record<keyof CompanyRegion, { label: string; hint: string }> {
  const { t } = useLingui()
  return {
    timeZone: {
      label: t`Fuso horário`,
      hint: t`Horários de atendimento, envios e relatórios seguem este relógio.`,
    },
    language: {
      label: t`Idioma das mensagens automáticas`,
      hint: t`Também dos e-mails para a equipe. As telas seguem a escolha de cada pessoa.`,
    },
    callingCode: {
      label: t`País dos números`,
      hint: t`Um número digitado sem código do país é de lá.`,
    },
  }
}
