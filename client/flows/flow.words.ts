import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import {
  Bot,
  BotMessageSquare,
  CircleHelp,
  CirclePlay,
  CircleStop,
  Clock,
  Dices,
  FileDown,
  FileQuestion,
  FileText,
  GitBranch,
  Globe,
  Headset,
  Hourglass,
  Image,
  LayoutList,
  ListOrdered,
  MessageSquareQuote,
  MessageSquareText,
  Mic,
  NotebookPen,
  StickyNote,
  Tag,
  UserPen,
  Variable,
  Video,
  Waypoints,
  Workflow,
} from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import type { Operator, Port } from '../../schema/flows/flows.graph.ts'
import type { NodeData, NodeType } from '../../schema/flows/flows.inputs.ts'

/** What each type of node is called, and how it looks. Does not compile while one has no name. */
export const nodeWords: Record<NodeType, { name: MessageDescriptor; icon: LucideIcon; tone: Tone }> = {
  start: { name: msg`Início`, icon: CirclePlay, tone: 'begin' },
  singleBlock: { name: msg`Conteúdo`, icon: LayoutList, tone: 'say' },
  message: { name: msg`Mensagem`, icon: MessageSquareText, tone: 'say' },
  img: { name: msg`Imagem`, icon: Image, tone: 'say' },
  audio: { name: msg`Áudio`, icon: Mic, tone: 'say' },
  video: { name: msg`Vídeo`, icon: Video, tone: 'say' },
  document: { name: msg`Documento`, icon: FileText, tone: 'say' },
  file: { name: msg`Arquivo por endereço`, icon: FileDown, tone: 'say' },
  template: { name: msg`Modelo`, icon: MessageSquareQuote, tone: 'say' },
  menu: { name: msg`Menu`, icon: ListOrdered, tone: 'ask' },
  question: { name: msg`Pergunta`, icon: CircleHelp, tone: 'ask' },
  condition: { name: msg`Condição`, icon: GitBranch, tone: 'decide' },
  hours: { name: msg`Horário`, icon: Clock, tone: 'decide' },
  randomizer: { name: msg`Aleatorizador`, icon: Dices, tone: 'decide' },
  interval: { name: msg`Intervalo`, icon: Hourglass, tone: 'decide' },
  tag: { name: msg`Etiqueta`, icon: Tag, tone: 'do' },
  field: { name: msg`Dados do contato`, icon: UserPen, tone: 'do' },
  note: { name: msg`Observação interna`, icon: NotebookPen, tone: 'do' },
  http: { name: msg`Chamada externa`, icon: Globe, tone: 'do' },
  ai: { name: msg`Assistente`, icon: Bot, tone: 'do' },
  typebot: { name: msg`Typebot`, icon: BotMessageSquare, tone: 'do' },
  flow: { name: msg`Outro fluxo`, icon: Workflow, tone: 'do' },
  ticket: { name: msg`Fila`, icon: Waypoints, tone: 'end' },
  set: { name: msg`Definir variável`, icon: Variable, tone: 'do' },
  agent: { name: msg`Atendente`, icon: Headset, tone: 'end' },
  end: { name: msg`Fim`, icon: CircleStop, tone: 'end' },
  comment: { name: msg`Lembrete`, icon: StickyNote, tone: 'paper' },
  unknown: { name: msg`De outro programa`, icon: FileQuestion, tone: 'paper' },
}

/** How two values are compared. */
export const operatorWords: Record<Operator, MessageDescriptor> = {
  equals: msg`é igual a`,
  notEquals: msg`é diferente de`,
  atLeast: msg`é ao menos`,
  atMost: msg`é no máximo`,
  less: msg`é menor que`,
  more: msg`é maior que`,
  contains: msg`contém`,
  notContains: msg`não contém`,
  startsWith: msg`começa com`,
  filled: msg`está preenchido`,
  empty: msg`está vazio`,
}

export type Tone = 'begin' | 'say' | 'ask' | 'decide' | 'do' | 'end' | 'paper'

/** The colours of a card's icon. */
export const toneClasses: Record<Tone, string> = {
  begin: 'bg-success-soft text-success-soft-foreground',
  say: 'bg-primary-soft text-primary-soft-foreground',
  ask: 'bg-info-soft text-info-soft-foreground',
  decide: 'bg-warning-soft text-warning-soft-foreground',
  do: 'bg-secondary text-secondary-foreground',
  end: 'bg-destructive-soft text-destructive-soft-foreground',
  paper: 'bg-warning-soft text-warning-soft-foreground',
}

/** The speed dial's groups, in order. */
export const dial: { title: MessageDescriptor; types: readonly NodeType[] }[] = [
  {
    title: msg`Dizer`,
    types: ['start', 'singleBlock', 'message', 'img', 'audio', 'video', 'document', 'file', 'template'],
  },
  { title: msg`Perguntar`, types: ['menu', 'question'] },
  { title: msg`Decidir`, types: ['condition', 'hours', 'randomizer', 'interval'] },
  { title: msg`Fazer`, types: ['tag', 'field', 'set', 'note', 'http', 'ai', 'typebot', 'flow'] },
  { title: msg`Encerrar`, types: ['ticket', 'agent', 'end'] },
  { title: msg`No desenho`, types: ['comment'] },
]

const portWords: Record<Exclude<Port['kind'], 'option' | 'case'>, MessageDescriptor> = {
  next: msg`Depois`,
  otherwise: msg`Senão`,
  true: msg`Sim`,
  false: msg`Não`,
  chance: msg`Sorteado`,
  rest: msg`Os outros`,
  open: msg`Aberto`,
  closed: msg`Fechado`,
  success: msg`Deu certo`,
  finished: msg`Terminou`,
  error: msg`Falhou`,
  reply: msg`Se responder antes`,
  invalid: msg`Resposta inválida`,
  timeout: msg`Sem resposta`,
}

/** What a way out is called. */
export function portText(port: Port, i18n: I18n): string {
  if (port.kind === 'option') return `${port.number}. ${port.label || '…'}`
  if (port.kind === 'case') return port.label || '…'
  return i18n._(portWords[port.kind])
}

export const answerWords: Record<NodeData['question']['kind'], MessageDescriptor> = {
  text: msg`Texto`,
  number: msg`Número`,
  email: msg`E-mail`,
  document: msg`CPF ou CNPJ`,
  date: msg`Data`,
  time: msg`Hora`,
  phone: msg`Telefone`,
  file: msg`Foto ou arquivo`,
  any: msg`Qualquer coisa`,
}
