import { expect, test } from 'bun:test'
import { checkFlow } from './flows.check.ts'
import { facts, flow, Talk } from './flows.fixture.ts'
import type { FlowTemplate } from './flows.run.ts'

const ready: FlowTemplate = {
  ...{
    name: 'pedido_pronto',
    language: 'pt_BR',
    status: 'APPROVED',
    category: 'UTILITY',
    confirmedCategory: 'UTILITY',
  },
  ...{ isStrange: false },
  parts: {
    ...{ named: false, header: null, footer: null, examples: {} },
    ...{ body: 'Olá, {{1}}! Seu pedido está pronto.', buttons: [] },
  },
}
const pictured: FlowTemplate = { ...ready, parts: { ...ready.parts, header: { kind: 'image' } } }
const knowing = (template: FlowTemplate | undefined) => facts({ templateOf: () => template })
const block = { template: 'pedido_pronto', language: 'pt_BR', values: { 'body.1': '{{firstName}}' } }
const drawn = (more: Record<string, unknown> = {}, exits: Record<string, string> = { a: 'end' }) =>
  flow({
    ready: ['template', { ...block, ...more }, exits],
    end: ['message', { text: 'Até logo' }],
    failed: ['message', { text: 'Falhou' }],
  })
const notes = ({ last }: Talk) => last.flatMap((effect) => (effect.kind === 'note' ? [effect.text] : []))

test('[FL100] a template is said with its variables filled from the run, and the flow goes on', () => {
  const talk = new Talk(drawn(), knowing(ready)).start('oi')
  expect(talk.said).toEqual(['Olá, Maria! Seu pedido está pronto.', 'Até logo'])
  expect(talk.last[0]).toMatchObject({
    about: { is: 'template', name: 'pedido_pronto', language: 'pt_BR', values: { 'body.1': 'Maria' } },
  })
})

test('[FL100] the file of its header goes with it', () => {
  const talk = new Talk(drawn({ file: 'f1.png', name: 'foto.png' }), knowing(pictured)).start('oi')
  expect(talk.last[0]).toMatchObject({ about: { file: 'image' }, file: { kind: 'image', file: 'f1.png' } })
})

test('[FL100] what is not sent says why in words, and people go on', () => {
  const unsent = (template: FlowTemplate | undefined, more = {}) => {
    const talk = new Talk(drawn(more), knowing(template)).start('oi')
    return [...talk.said, ...notes(talk), talk.run.ended?.why]
  }
  const because = (why: string) => [`O modelo “pedido_pronto” não foi enviado: ${why}.`, 'error']
  expect(unsent(undefined)).toEqual(because('a conexão não tem este modelo aprovado'))
  expect(unsent({ ...ready, status: 'PAUSED' })).toEqual(because('o WhatsApp pausou o modelo'))
  expect(unsent({ ...ready, status: 'DISABLED' })).toEqual(because('o WhatsApp não deixa enviar por ele agora'))
  expect(unsent(ready, { values: {} })).toEqual(because('faltam valores das variáveis'))
  expect(unsent(ready, { values: { 'body.1': '{{nada}}' } })).toEqual(because('faltam valores das variáveis'))
  expect(unsent(pictured)).toEqual(because('o arquivo do cabeçalho não serve'))
})

test('[FL100] where a way for failures is drawn, it is taken', () => {
  const talk = new Talk(drawn({}, { a: 'end', error: 'failed' }), knowing(undefined)).start('oi')
  expect(talk.said).toEqual(['Falhou'])
  expect(notes(talk)).toHaveLength(1)
})

test('[FL101] a flow is published with templates by which is sent, filled, over connections that send some', () => {
  const problems = (template: FlowTemplate | undefined, more = {}, withoutTemplates: string[] = []) =>
    checkFlow(drawn(more), { templateOf: () => template, withoutTemplates, files: new Set(['f1.png']) })
      .filter(({ nodeId, severity }) => nodeId === 'ready' && severity === 'error')
      .map(({ code, name }) => [code, name].filter(Boolean).join(' '))
  expect(problems(ready)).toEqual([])
  expect(problems(ready, { template: '' })).toEqual(['templateMissing'])
  expect(problems(undefined)).toEqual(['templateMissing pedido_pronto'])
  expect(problems({ ...ready, status: 'PENDING' })).toEqual(['templateStopped pedido_pronto'])
  expect(problems(ready, { values: {} })).toEqual(['templateValues pedido_pronto'])
  expect(problems(pictured)).toEqual(['fileMissing'])
  expect(problems(pictured, { file: 'f1.png' })).toEqual([])
  expect(problems(ready, {}, ['Celular'])).toEqual(['templateWire Celular'])
})
