import type { I18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import type { FlowNode } from '../../schema/flows/flows.graph.ts'
import type { FlowRule } from '../../schema/flows/flows.inputs.ts'
import { answerWords, operatorWords } from './flow.words.ts'

/** Names of what nodes refer to by id. */
export interface Names {
  queue(id: number): string | undefined
  tag(id: number): string | undefined
  user(id: number): string | undefined
  flow(id: number): string | undefined
  /** Missing where nobody has asked for them. */
  integration?(id: number): string | undefined
  prompt?(id: number): string | undefined
}

/** What a card says of its node: a few words, which the card may cut. */
export function cardText(node: FlowNode, names: Names, i18n: I18n): string {
  switch (node.type) {
    case 'start':
      return t`O contato entra aqui`
    case 'message':
    case 'note':
    case 'comment':
      return node.data.text
    case 'menu':
    case 'question':
      return node.type === 'question' && node.data.kind !== 'text'
        ? `${node.data.message}\n(${i18n._(answerWords[node.data.kind])})`
        : node.data.message
    case 'interval':
      return t`Espera ${node.data.seconds} s`
    case 'condition':
      return conditionText(node.data, names, i18n)
    case 'img':
    case 'video':
    case 'audio':
    case 'document':
      return node.data.name || node.data.file
    case 'file':
      return [node.data.url, node.data.caption].filter(Boolean).join('\n')
    case 'template':
      return node.data.template
    case 'randomizer':
      return `${node.data.percent}% / ${100 - node.data.percent}%`
    case 'singleBlock':
      return node.data.elements.map((element) => elementText(element)).join('\n')
    case 'ticket':
      return node.data.queueId === null ? '' : (names.queue(node.data.queueId) ?? `#${node.data.queueId}`)
    case 'agent':
      return node.data.userId === null ? '' : (names.user(node.data.userId) ?? `#${node.data.userId}`)
    case 'tag': {
      if (node.data.tagId === null) return ''
      const name = names.tag(node.data.tagId) ?? `#${node.data.tagId}`
      return node.data.action === 'add' ? `+ ${name}` : `− ${name}`
    }
    case 'flow':
      return node.data.flowId === null ? '' : (names.flow(node.data.flowId) ?? `#${node.data.flowId}`)
    case 'hours':
      return node.data.of === 'company'
        ? t`Horário da empresa`
        : node.data.of === 'queue'
          ? queueHours(node.data.queueId, names)
          : t`Horário próprio`
    case 'field':
      return `${node.data.field === 'extra' ? node.data.extraName : node.data.field === 'name' ? t`Nome` : t`E-mail`} = ${node.data.value}`
    case 'set':
      return node.data.saveAs ? `${node.data.saveAs} = ${node.data.value}` : ''
    case 'http':
      return `${node.data.method} ${node.data.url}`
    case 'ai': {
      const { promptId, instructions } = node.data
      const prompt = promptId === null || !names.prompt ? '' : (names.prompt(promptId) ?? `#${promptId}`)
      return [prompt, instructions].filter(Boolean).join('\n')
    }
    case 'typebot': {
      const { integrationId } = node.data
      return integrationId === null || !names.integration
        ? ''
        : (names.integration(integrationId) ?? `#${integrationId}`)
    }
    case 'end':
      return node.data.then === 'close'
        ? t`Encerra o atendimento`
        : node.data.then === 'menu'
          ? t`Mostra o menu de filas`
          : t`Espera um atendente`
    case 'unknown':
      return node.data.type
  }
}

const signs: Record<number, string> = { 1: '=', 2: '≥', 3: '≤', 4: '<', 5: '>', 6: '∋' }

function queueHours(queueId: number | null, names: Names): string {
  if (queueId === null) return t`Horário da fila`
  const queue = names.queue(queueId) ?? `#${queueId}`
  return t`Horário da fila ${queue}`
}

/** One comparison: what is compared, how, and with what. Tags and queues are compared by their ids, and go by name. */
function ruleText({ of, key, operator, value }: FlowRule, names: Names, i18n: I18n): string {
  const named = of === 'ticket' ? (key === 'tag' ? names.tag(Number(value)) : names.queue(Number(value))) : undefined
  const left = of === 'text' ? t`Última mensagem` : of === 'ticket' ? (key === 'tag' ? t`Etiqueta` : t`Fila`) : key
  const isWhole = operator === 'filled' || operator === 'empty'
  return [left, i18n._(operatorWords[operator]), isWhole ? '' : (named ?? value)].filter(Boolean).join(' ')
}

function conditionText(data: Extract<FlowNode, { type: 'condition' }>['data'], names: Names, i18n: I18n): string {
  if (data.mode === 'single') return data.key ? `${data.key} ${signs[data.condition] ?? ''} ${data.value}` : ''
  if (data.mode === 'rules') return data.rules.map((rule) => ruleText(rule, names, i18n)).join('\n')
  return data.cases.map(({ label }) => label).join('\n')
}

function elementText(element: Extract<FlowNode, { type: 'singleBlock' }>['data']['elements'][number]): string {
  switch (element.kind) {
    case 'message':
      return element.text
    case 'interval':
      return `⏳ ${element.seconds} s`
    case 'img':
      return `🖼 ${element.name}`
    case 'audio':
      return `🎤 ${element.name}`
    case 'video':
      return `🎬 ${element.name}`
  }
}

/** Fields that hold a code, or what came from elsewhere: nobody wrote it. */
const codes = new Set([
  'family',
  'id',
  'kind',
  'of',
  'action',
  'mode',
  'match',
  'operator',
  'then',
  'method',
  'field',
  'schedules',
  'language',
])

/** What a node is found by: everything that people wrote in it. */
export function searchText(node: FlowNode): string {
  const words: string[] = []
  const collect = (value: unknown): void => {
    if (typeof value === 'string') words.push(value)
    else if (Array.isArray(value)) value.forEach(collect)
    else if (value && typeof value === 'object')
      for (const [key, held] of Object.entries(value)) if (!codes.has(key)) collect(held)
  }
  collect(node.data)
  return words.join(' ')
}
