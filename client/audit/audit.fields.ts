import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { type AuditEntity, lineOf, namedBy } from '../../schema/audit/audit.nouns.ts'
import { weekdays } from '../../schema/hours/hours.open.ts'
import { useScopeWords } from '../api-keys/api-keys.words.ts'
import { dueDay } from '../base/due-date.ts'
import { usePriorityNames } from '../announcements/announcements.words.ts'
import { useCampaignSettingWords } from '../campaigns/campaigns.settings.words.ts'
import { useCampaignStatusNames } from '../campaigns/campaigns.words.tsx'
import { useCompanyStateName, useRecurrenceNames } from '../companies/companies.words.ts'
import { useFieldWords } from '../custom-fields/custom-fields.words.ts'
import { dateText } from '../i18n/dates.ts'
import { localeNames } from '../i18n/locale.ts'
import { billingNames, useKinds } from '../integrations/integrations.words.ts'
import { paymentServices, useInvoiceStateNames, useMoney, usePaymentAccountWords } from '../invoices/invoices.words.ts'
import { useFeatureNames } from '../plans/plans.words.ts'
import { usePrivacySettingWords, usePrivacyWords } from '../privacy/privacy.words.ts'
import { useAssignmentWords } from '../queues/queues.words.ts'
import { useRoleWords } from '../roles/roles.words.ts'
import { useTriggerWords } from '../rules/rules.words.ts'
import { useSlaWords } from '../sla-policies/sla-policies.words.ts'
import { useSettingWords } from '../settings/settings.words.ts'
import { useProfileNames } from '../users/users.words.ts'
import type { AuditEntry } from './audit.queries.ts'

type Entry = Pick<AuditEntry, 'entity' | 'entityId' | 'before' | 'after' | 'names'>
type Words = Readonly<Record<string, string>>

export interface AuditFields {
  /** What a column is called; nothing where nobody has named it. */
  labelOf: (entity: AuditEntity, field: string) => string | undefined
  /** A value as people read it. */
  textOf: (entry: Entry, field: string, value: unknown) => string
  /** What the thing is called that an entry is about. */
  nameOf: (entry: Entry) => string | undefined
}

/** What the audit log's columns are called, as the forms call them, and how their values are read. */
export function useAuditFields(): AuditFields {
  const { t, i18n } = useLingui()
  const features = useFeatureNames()
  const fieldWords = useFieldWords()
  const roles = useRoleWords()
  const assignment = useAssignmentWords()
  const scopes: Words = useScopeWords()
  const profiles: Words = useProfileNames()
  const recurrences: Words = useRecurrenceNames()
  const companyState = useCompanyStateName()
  const money = useMoney()
  const priorities: Words = usePriorityNames()
  const campaignStates: Words = useCampaignStatusNames()
  const invoiceStates: Words = useInvoiceStateNames()
  const accountFields: Words = usePaymentAccountWords()
  const sla = useSlaWords()
  const triggers: Words = useTriggerWords()
  const kinds: Partial<Record<string, { label: string }>> = useKinds()
  const settings: Partial<
    Record<string, ReturnType<typeof useSettingWords>[keyof ReturnType<typeof useSettingWords>]>
  > = { ...useSettingWords(), ...usePrivacySettingWords() }
  const privacyWords = usePrivacyWords()
  const campaignSettings: Partial<Record<string, { label: string; amount?: (n: number) => string }>> =
    useCampaignSettingWords()

  const numbered = (label: (n: number) => string, name: string) =>
    Object.fromEntries([1, 2, 3, 4, 5].map((n) => [`${name}${n}`, label(n)]))
  const labels: Words = {
    ...features,
    useInternal: t`Só para uso interno`,
    actions: t`Ações`,
    active: t`Ativo`,
    shortcut: t`Atalho`,
    trigger: t`Quando`,
    minutes: t`Minutos sem mensagem`,
    byPeople: t`Também os que a equipe começa`,
    conditions: t`Condições`,
    stopOnMatch: t`Depois dela, não perguntar às outras`,
    capacity: t`Capacidade`,
    category: t`Categoria`,
    currency: t`Moeda`,
    market: t`País`,
    micros: t`Preço, em milionésimos`,
    since: t`A partir de`,
    archivedAt: t`Arquivado em`,
    entity: t`De`,
    help: t`Ajuda`,
    required: t`Obrigatório ao resolver`,
    allTicket: t`Ver atendimentos sem fila`,
    assignment: t`Distribuição`,
    awayAt: t`Ausente desde`,
    awayUntil: t`Ausente até`,
    answersOpenTickets: t`Sim ou não também abre atendimento`,
    baseUrl: t`Endereço do serviço`,
    breakGlassUserId: t`Acesso de emergência`,
    position: t`Ordem`,
    tagIds: t`Etiquetas`,
    contactField: t`Campo do contato`,
    firstAnswer: sla.metrics.firstAnswer,
    nextAnswer: sla.metrics.nextAnswer,
    resolution: sla.metrics.resolution,
    calendar: t`Horário que conta`,
    warnAt: t`Avisar com (% do prazo)`,
    escalateUserIds: t`Avisar também`,
    escalateQueueId: t`Passar para a fila`,
    bulkGuard: t`Proteger o número`,
    callingCode: t`País dos números`,
    confirmedCategory: t`Categoria confirmada`,
    clientId: t`ID do cliente`,
    color: t`Cor`,
    companyIds: t`Empresas`,
    completionMessage: t`Mensagem de conclusão`,
    config: t`Conta de pagamento`,
    confirmation: t`Pedir confirmação antes`,
    ...numbered((n) => t`Pergunta de confirmação ${n}`, 'confirmationMessage'),
    connections: t`Conexões`,
    contactListId: t`Lista de contatos`,
    dailyCap: t`Mensagens por dia`,
    description: t`Descrição`,
    disabledReason: t`Motivo`,
    domains: t`Domínios de e-mail`,
    provenDomains: t`Domínios comprovados`,
    dueDate: t`Vencimento`,
    hosts: t`Enviado só para`,
    email: t`E-mail`,
    endedBy: t`Como terminou`,
    endsAt: t`Mostrar até`,
    events: t`Eventos`,
    expiresAt: t`Vale até`,
    expiresInactiveMessage: t`Mensagem ao fechar por inatividade`,
    expiresTicket: t`Fechar por inatividade (minutos)`,
    fileListId: t`Lista de arquivos`,
    templateId: t`Modelo de mensagem`,
    filter: t`Filtro`,
    sharing: t`Quem vê`,
    flowId: t`Fluxo`,
    flowIdNotPhrase: t`Fluxo sem frase`,
    flowIdWelcome: t`Fluxo de boas-vindas`,
    format: t`Formato`,
    greetingMessage: t`Saudação`,
    groupsClaim: t`Campo dos grupos no token`,
    holidays: t`Feriados`,
    integrationId: t`Integração`,
    ipAllow: t`Endereços permitidos`,
    holdUntil: t`Retido até`,
    erasure: t`Prova`,
    kind: t`Pedido`,
    law: t`Prazo`,
    state: t`Situação`,
    receivedAt: t`Recebido em`,
    dueAt: t`Responder até`,
    isDefault: t`Conexão padrão`,
    issuer: t`Emissor`,
    jsonContent: t`Conta de serviço (JSON)`,
    kanban: t`Usar como coluna do kanban`,
    key: t`Configuração`,
    lastAgentFirst: t`Primeiro quem atendeu da última vez`,
    laneLimit: t`Limite de cartões`,
    laneOrder: t`Posição no quadro`,
    language: t`Idioma`,
    makesUsers: t`Criar o usuário de quem entra pela primeira vez`,
    maskNumbers: t`Ocultar os números dos contatos`,
    match: t`Regras que valem`,
    maxMessages: t`Mensagens lembradas`,
    maxTokens: t`Máximo de tokens`,
    maxUseBotQueues: t`Repetir o menu das filas até (vezes)`,
    mediaName: t`Anexo`,
    message: t`Mensagem`,
    ...numbered((n) => t`Mensagem ${n}`, 'message'),
    mime: t`Tipo`,
    model: t`Modelo`,
    name: t`Nome`,
    newChatCap: t`Conversas novas`,
    number: t`Número`,
    option: t`Número da opção`,
    options: t`Opções`,
    orderQueue: t`Ordem`,
    outOfHoursMessage: t`Mensagem fora do horário`,
    paidValue: t`Valor pago`,
    paidVia: t`Pago por`,
    parentId: t`Dentro da opção`,
    passwordHash: t`Senha`,
    pauseReason: t`Motivo da pausa`,
    permissions: t`Permissões`,
    phone: t`Telefone`,
    phrase: t`Frase`,
    place: t`Lugar`,
    planId: t`Plano`,
    planIds: t`Planos`,
    prefix: t`Começo da chave`,
    priority: t`Prioridade`,
    profile: t`Perfil`,
    profiles: t`Perfis`,
    projectName: t`Nome do projeto`,
    prompt: t`Instruções`,
    promptId: t`Assistente de IA`,
    provider: t`Receber por`,
    queueId: t`Fila`,
    queueIds: t`Filas`,
    queues: t`Filas`,
    query: t`Período e filtros`,
    report: t`Relatório`,
    isShared: t`De todos que veem relatórios`,
    every: t`Frequência`,
    hour: t`Hora`,
    userIds: t`Pessoas`,
    ratePerMinute: t`Chamadas por minuto`,
    ratingMessage: t`Mensagem de avaliação`,
    readOnly: t`Só para ver`,
    reason: t`Motivo`,
    recurrence: t`Recorrência`,
    ref: t`Referência`,
    replyQueueId: t`Fila das respostas`,
    revokedAt: t`Revogada em`,
    roleId: t`Papel`,
    roleRules: t`Papéis por grupo`,
    rules: t`Regras`,
    scheduledAt: t`Agendamento`,
    schedules: t`Horário de atendimento`,
    scopes: t`Permissões`,
    secret: t`Segredo da assinatura`,
    secrets: t`Segredos`,
    segmentIds: t`Segmentos`,
    size: t`Tamanho (bytes)`,
    skillIds: t`Habilidades`,
    ssoOnly: t`Entrar só com a conta da empresa`,
    startsAt: t`Mostrar a partir de`,
    status: t`Situação`,
    stopped: t`Parada pelo WhatsApp`,
    super: t`Operador`,
    tagListId: t`Etiqueta`,
    temperature: t`Temperatura`,
    text: t`Texto`,
    ticketScope: t`Atendimentos que vê`,
    timeToTransfer: t`Transferir sem fila após (minutos)`,
    timeUseBotQueues: t`Depois, mostrar de novo após (minutos)`,
    timeZone: t`Fuso horário`,
    title: t`Título`,
    token: t`Token da API`,
    transcriptionModel: t`Modelo de transcrição`,
    transferQueueId: t`Fila da transferência`,
    providerLinked: t`Conta da empresa vinculada`,
    twoFactor: t`Verificação em duas etapas`,
    type: t`Tipo`,
    typebotDelayMessage: t`Intervalo entre mensagens (ms)`,
    typebotExpires: t`Recomeça após (minutos)`,
    typebotKeywordFinish: t`Palavra que encerra`,
    typebotKeywordRestart: t`Palavra que recomeça`,
    typebotRestartMessage: t`Mensagem ao recomeçar`,
    typebotSlug: t`Nome público do robô`,
    typebotUnknownMessage: t`Mensagem de resposta desconhecida`,
    url: t`Endereço`,
    urlN8N: t`Endereço`,
    userAgent: t`Navegador`,
    userId: t`Usuário`,
    users: t`Usuários`,
    value: t`Valor`,
    versionId: t`Versão publicada`,
    video: t`Vídeo`,
    voice: t`Voz`,
    voiceKey: t`Chave da voz (Azure)`,
    voiceRegion: t`Região da voz`,
    wanted: t`Ligada`,
    whenAway: t`Quando o atendente se ausenta`,
    weights: t`Pesos das mensagens`,
    whatsappId: t`Conexão`,
    apiKey: t`Chave da API`,
    company: t`Empresa`,
    hash: t`Chave de API`,
    // Where one word means another thing.
    'connection.provider': t`Versão do WhatsApp`,
    'customField.key': t`Chave`,
    'plan.value': t`Valor por mês (R$)`,
    'signIn.roleId': t`Papel de quem é criado`,
    'signIn.secret': t`Segredo do cliente`,
    'user.whatsappId': t`Conexão padrão`,
  }

  const values: Readonly<Record<string, Words>> = {
    calendar: sla.calendars,
    assignment: Object.fromEntries(Object.entries(assignment.rules).map(([key, { label }]) => [key, label])),
    language: localeNames,
    match: { all: t`Todas`, any: t`Qualquer uma` },
    trigger: triggers,
    paidVia: { ...paymentServices, operator: t`Operador` },
    'paymentAccount.provider': paymentServices,
    permissions: Object.fromEntries(Object.entries(roles.permissions).map(([key, { label }]) => [key, label])),
    priority: priorities,
    profile: profiles,
    profiles,
    recurrence: recurrences,
    scopes,
    ticketScope: roles.scopes,
    type: Object.fromEntries(Object.entries(kinds).map(([key, kind]) => [key, kind?.label ?? key])),
    disabledReason: { gone: t`O endereço não existe mais`, failing: t`As entregas falham há dias` },
    endedBy: {
      logout: t`A pessoa saiu`,
      remote: t`Encerrada de longe`,
      password: t`A senha mudou`,
      copied: t`O acesso foi copiado`,
    },
    billingSystem: billingNames,
    whenAway: assignment.leavings,
    'macro.sharing': { own: t`Só quem criou`, company: t`Toda a empresa`, queues: t`Filas escolhidas` },
    'view.sharing': { own: t`Só quem criou`, company: t`Toda a empresa`, queues: t`Filas escolhidas` },
    'privacyRequest.kind': privacyWords.requests,
    'privacyRequest.law': privacyWords.laws,
    'privacyRequest.state': privacyWords.states,
    'campaign.status': campaignStates,
    'customField.entity': fieldWords.entities,
    'customField.type': fieldWords.types,
    'company.status': { true: companyState('good'), false: companyState('off') },
    'invoice.status': invoiceStates,
  }
  /** What stands inside a value, as the form calls it that it is written in. */
  const inside: Readonly<Record<string, Words>> = {
    'paymentAccount.config': accountFields,
    'integration.options': { billingSystem: t`Sistema` },
  }

  /** The first Monday of 2024, from which weekdays are written in words. */
  const dayName = (weekday: string) => {
    const index = (weekdays as readonly string[]).indexOf(weekday)
    return index < 0 ? weekday : dateText(i18n.locale, new Date(2024, 0, 1 + index), 'weekdayName')
  }
  const plain = (value: unknown): string => {
    if (value === undefined || value === null || value === '') return '—'
    if (typeof value === 'boolean') return value ? t`Sim` : t`Não`
    if (typeof value === 'number') return value.toLocaleString(i18n.locale)
    if (typeof value === 'string') {
      if (/^\d{4}-\d\d-\d\d$/.test(value)) return dateText(i18n.locale, dueDay(value), 'fullDate')
      if (/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(value)) return dateText(i18n.locale, new Date(value), 'moment')
      return value
    }
    if (Array.isArray(value)) {
      if (value.length === 0) return '—'
      return value.every((one) => typeof one !== 'object') ? value.map(plain).join(', ') : value.map(item).join('\n')
    }
    const lines = Object.entries(value as object).map(([key, one]) => `${dayName(key)}: ${plain(one)}`)
    return lines.length > 0 ? lines.join('\n') : '—'
  }
  /** One of a list: a time of day, a holiday, or what it holds. */
  const item = (one: unknown): string => {
    const row = (one ?? {}) as Record<string, unknown>
    if ('startTime' in row)
      return `${dayName(String(row['weekdayEn']))}: ${row['startTime'] ? `${String(row['startTime'])}–${String(row['endTime'])}` : '—'}`
    if ('from' in row && 'to' in row) return `${String(row['from'])}–${String(row['to'])}`
    if ('label' in row) return String(row['label'])
    if ('date' in row) return [plain(row['date']), row['name']].filter(Boolean).join(' · ')
    if ('key' in row) return `{${String(row['key'])}}: ${plain(row['value'])}`
    return Object.values(row).map(plain).join(' · ')
  }
  /** A line for each that is filled in: what another service would use is empty. */
  const settingsText = (names: Words, value: object): string =>
    Object.entries(value)
      .filter(([, one]) => one !== null && one !== '')
      .map(([key, one]) => `${names[key] ?? key}: ${values[key]?.[String(one)] ?? plain(one)}`)
      .join('\n') || '—'
  const settingText = (key: string, value: unknown): string => {
    const words = settings[key]?.values?.[String(value)]
    return words ?? plain(value)
  }
  const campaignSettingText = (key: string, value: unknown): string => {
    let read = value
    try {
      if (typeof value === 'string') read = JSON.parse(value)
    } catch {
      // A text is its own value.
    }
    const amount = campaignSettings[key]?.amount
    if (amount && typeof read === 'number') return amount(read)
    if (key === 'hours' && typeof read === 'object' && read !== null) {
      const { periods, holidays } = read as { periods?: Record<string, unknown[]>; holidays?: unknown[] }
      const days = Object.entries(periods ?? {}).map(
        ([day, all]) => `${dayName(day)}: ${all.map(item).join(', ') || '—'}`,
      )
      return [...days, ...(holidays ?? []).map(item)].join('\n') || '—'
    }
    return plain(read)
  }
  const keyOf = (entry: Entry): string => String(entry.after?.['key'] ?? entry.before?.['key'] ?? entry.entityId)
  const thing = (names: Words, kind: string, id: unknown) => {
    const number = String(id)
    return names[`${kind}:${number}`] ?? t`nº ${number}`
  }

  return {
    labelOf: (entity, field) => labels[`${entity}.${field}`] ?? labels[field],
    textOf: (entry, field, value) => {
      const { entity } = entry
      if (value === undefined || value === null || value === '') return '—'
      const kind = namedBy[field]
      if (kind) {
        if (!Array.isArray(value)) return thing(entry.names, kind, value)
        return value.length > 0 ? value.map((id) => thing(entry.names, kind, id)).join(', ') : '—'
      }
      if (entity === 'setting') {
        if (field === 'key') return settings[String(value)]?.label ?? String(value)
        if (field === 'value') return settingText(keyOf(entry), value)
      }
      if (entity === 'campaignSetting') {
        if (field === 'key') return campaignSettings[String(value)]?.label ?? String(value)
        if (field === 'value') return campaignSettingText(keyOf(entry), value)
      }
      if ((field === 'value' || field === 'paidValue') && (entity === 'plan' || entity === 'invoice'))
        return money(String(value))
      if (field === 'kanban') return plain(Boolean(value))
      if (field === 'rules' && Array.isArray(value)) {
        const count = value.length
        return plural(count, { one: '# regra', other: '# regras' })
      }
      if (field === 'actions' && Array.isArray(value)) {
        const count = value.length
        return plural(count, { one: '# ação', other: '# ações' })
      }
      if (field === 'company' && typeof value === 'object') return plain((value as { name?: unknown }).name)
      const fields = inside[`${entity}.${field}`]
      if (fields && typeof value === 'object') return settingsText(fields, value)
      const words = values[`${entity}.${field}`] ?? values[field]
      if (!words) return plain(value)
      return Array.isArray(value)
        ? value.map((one) => words[String(one)] ?? String(one)).join(', ') || '—'
        : (words[String(value)] ?? plain(value))
    },
    nameOf: (entry) => {
      const { entity, entityId, before, after, names } = entry
      // Of a login the number says nothing.
      if (entity === 'session') return undefined
      if (entity === 'setting') return settings[keyOf(entry)]?.label ?? keyOf(entry)
      const line = lineOf(entityId)
      if (line) return thing(names, 'connection', line)
      if (entity === 'campaignSetting') return campaignSettings[keyOf(entry)]?.label ?? keyOf(entry)
      const written = after?.['name'] ?? after?.['title'] ?? before?.['name'] ?? before?.['title']
      const name = typeof written === 'string' ? written : names[`${entity}:${entityId}`]
      if (name !== undefined) return name
      return entityId === null ? undefined : /^\d+$/.test(entityId) ? t`nº ${entityId}` : entityId
    },
  }
}
