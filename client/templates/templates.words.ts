import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import type { TemplateFaultCode } from '../../schema/templates/templates.check.ts'
import type { TemplateFileKind, TemplateSlot } from '../../schema/templates/templates.parts.ts'
import {
  isTemplateReason,
  isTemplateStatus,
  type TemplateCategory,
  type TemplateReason,
  type TemplateStatus,
  type TemplateStop,
} from '../../schema/templates/templates.state.ts'

type Tone = 'success' | 'warning' | 'destructive' | 'neutral'

const statuses: Record<TemplateStatus, { name: MessageDescriptor; tone: Tone }> = {
  APPROVED: { name: msg`Aprovado`, tone: 'success' },
  PENDING: { name: msg`Em análise`, tone: 'warning' },
  IN_APPEAL: { name: msg`Em recurso`, tone: 'warning' },
  REJECTED: { name: msg`Recusado`, tone: 'destructive' },
  PAUSED: { name: msg`Pausado`, tone: 'warning' },
  DISABLED: { name: msg`Desativado`, tone: 'destructive' },
  LIMIT_EXCEEDED: { name: msg`Acima do limite`, tone: 'destructive' },
  PENDING_DELETION: { name: msg`Sendo excluído`, tone: 'neutral' },
  DELETED: { name: msg`Excluído`, tone: 'neutral' },
  ARCHIVED: { name: msg`Arquivado`, tone: 'neutral' },
  LOCKED: { name: msg`Bloqueado`, tone: 'destructive' },
}

/** Of each reason of a refusal what was wrong, and what can be done: the only place where they stand. */
const reasons: Record<TemplateReason, MessageDescriptor> = {
  ABUSIVE_CONTENT: msg`O conteúdo fere as regras do WhatsApp, por exemplo por ofender ou ameaçar. Escreva outro texto, com outro nome.`,
  CATEGORY_NOT_AVAILABLE: msg`A conta não pode usar esta categoria. Crie-o de novo em outra.`,
  INCORRECT_CATEGORY: msg`O texto não é da categoria escolhida. Crie-o de novo como Marketing, ou tire do texto o que anuncia.`,
  INVALID_FORMAT: msg`O formato não foi aceito: variáveis demais para o texto, coladas umas às outras, ou com exemplos que não servem. Ponha mais texto em volta delas e exemplos como os de verdade.`,
  PROMOTIONAL: msg`O texto anuncia algo, e a categoria não é Marketing. Crie-o de novo como Marketing.`,
  SCAM: msg`O texto parece um golpe. Diga quem escreve e por quê, sem pedir senhas, códigos ou dados de cartão, e com endereços da própria empresa.`,
  TAG_CONTENT_MISMATCH: msg`O idioma ou a categoria não combina com o texto. Crie-o de novo com o idioma certo.`,
}

const categories: Record<TemplateCategory, MessageDescriptor> = {
  UTILITY: msg`Utilidade`,
  MARKETING: msg`Marketing`,
  AUTHENTICATION: msg`Autenticação`,
}

const stops: Record<TemplateStop, MessageDescriptor> = {
  pending: msg`O WhatsApp ainda está analisando este modelo. Costuma levar minutos, e no máximo um dia.`,
  rejected: msg`O WhatsApp recusou este modelo.`,
  paused: msg`O WhatsApp pausou este modelo por algumas horas, porque contatos reclamaram dele. Ele volta sozinho; reveja a quem e com que frequência é enviado.`,
  disabled: msg`O WhatsApp não deixa mais enviar por este modelo. Crie outro, com outro nome e outro texto.`,
  gone: msg`Este modelo foi excluído.`,
  drift: msg`O WhatsApp passou este modelo para Marketing, que custa cerca de nove vezes mais. Nada é enviado por ele até que um administrador confirme.`,
  strange: msg`Este modelo tem partes que ainda não se podem enviar daqui, como um carrossel.`,
}

/** Braces of their own, so that no catalogue takes them for its. */
const [one, two, named] = ['{{1}}', '{{2}}', '{{nome}}']

const faults: Record<TemplateFaultCode, MessageDescriptor> = {
  variables: msg`Escreva as variáveis como ${one}, ${two} em ordem, ou todas com nomes em letras minúsculas, como ${named}`,
  variable_first: msg`O texto não pode começar com uma variável`,
  variable_last: msg`O texto não pode terminar com uma variável`,
  variables_adjacent: msg`Ponha palavras entre duas variáveis`,
  header_variables: msg`O título pode ter só uma variável: ${one}`,
  header_signs: msg`O título não pode ter emojis, quebras de linha nem marcas como * e _`,
  header_file: msg`Escolha um arquivo de exemplo: quem analisa o modelo precisa dele`,
  footer_variables: msg`O rodapé não pode ter variáveis`,
  example: msg`Dê um exemplo: quem analisa o modelo precisa dele`,
  button_text: msg`Escreva o texto do botão, sem variáveis`,
  button_twice: msg`Outro botão já tem esse texto`,
  url: msg`Escreva o endereço inteiro, como https://loja.com.br`,
  url_variable: msg`Só pode haver uma variável, ${one}, no fim do endereço`,
  phone: msg`Escreva o telefone com o código do país`,
  too_many_urls: msg`São no máximo dois botões com endereço`,
  too_many_phones: msg`Só um botão pode ligar`,
  too_many_codes: msg`Só um botão pode copiar um código`,
  code: msg`O código pode ter até 15 caracteres`,
}

/** Templates in words. */
export function useTemplateWords() {
  const { t, i18n } = useLingui()
  const languages: Partial<Record<string, string>> = {
    pt_BR: t`Português (Brasil)`,
    pt_PT: t`Português (Portugal)`,
    es: t`Espanhol`,
    es_AR: t`Espanhol (Argentina)`,
    es_MX: t`Espanhol (México)`,
    en: t`Inglês`,
    en_US: t`Inglês (Estados Unidos)`,
  }
  const qualities: Partial<Record<string, string>> = { GREEN: t`Alta`, YELLOW: t`Média`, RED: t`Baixa` }
  return {
    status: (status: string): { name: string; tone: Tone } =>
      isTemplateStatus(status)
        ? { name: i18n._(statuses[status].name), tone: statuses[status].tone }
        : { name: status, tone: 'neutral' },
    reason: (reason: string): string => (isTemplateReason(reason) ? i18n._(reasons[reason]) : reason),
    category: (category: string): string => {
      const known: Partial<Record<string, MessageDescriptor>> = categories
      const name = known[category]
      return name ? i18n._(name) : category
    },
    stop: (stop: TemplateStop): string => i18n._(stops[stop]),
    fault: (code: string): string => {
      const known: Partial<Record<string, MessageDescriptor>> = faults
      const text = known[code]
      return text ? i18n._(text) : t`Valor inválido`
    },
    language: (language: string): string => languages[language] ?? language,
    quality: (quality: string | null): string => (quality ? (qualities[quality] ?? '—') : '—'),
    header: (kind: TemplateFileKind | 'location'): string =>
      kind === 'location'
        ? t`Localização do cabeçalho`
        : kind === 'image'
          ? t`Imagem do cabeçalho`
          : kind === 'video'
            ? t`Vídeo do cabeçalho`
            : t`Documento do cabeçalho`,
    /** Which files the service takes there. */
    refused: (kind: TemplateFileKind): string =>
      kind === 'image' ? t`png ou jpg, até 5 MB` : kind === 'video' ? t`mp4 ou 3gp, até 16 MB` : t`pdf, até 100 MB`,
    slot: ({ part, name }: TemplateSlot, buttons: readonly { text: string }[]): string => {
      const label = buttons[Number(name)]?.text ?? name
      const variable = `{{${name}}}`
      if (part === 'place')
        return name === 'point' ? t`Lugar no mapa` : name === 'name' ? t`Nome do lugar` : t`Endereço do lugar`
      if (part === 'header') return t`Título: ${variable}`
      if (part === 'body') return variable
      return part === 'button' ? t`Fim do endereço de “${label}”` : t`Código de “${label}”`
    },
  }
}
