import { type Language, languages } from '../languages.ts'
import { describe, expect, test } from 'bun:test'
import { checkFlow } from './flows.check.ts'
import { dice, Talk } from './flows.fixture.ts'
import { newNodeId, nodesById } from './flows.graph.ts'
import { isFlowNode } from './flows.inputs.ts'
import { templateGraph, type TemplateId, templateIds } from './flows.templates.ts'

const make = (id: TemplateId, queueId: number | null = 7, language: Language = 'pt') => {
  const roll = dice(3)
  return templateGraph(id, {
    ...{ queueId, language },
    newId: () => newNodeId(Uint8Array.from({ length: 30 }, () => Math.floor(roll() * 256))),
  })
}

const right: Record<string, string> = {
  ...{ text: 'Um bolo de cenoura', email: 'ana@example.com', document: '529.982.247-25' },
  ...{ date: 'amanhã', time: '14h', phone: '11 99999-0000', any: 'ok' },
}
const picture = { kind: 'image', name: 'foto.jpg', messageId: 'm1' }

describe('flows to begin from:', () => {
  test.each(templateIds)('[FL70] %s has nothing wrong, with a queue and without', (id) => {
    for (const queueId of [7, null]) {
      const graph = make(id, queueId)
      expect(checkFlow(graph, { variables: new Set(), queues: new Set([7]), self: 1, flows: new Set() })).toEqual([])
      expect(graph.nodes.every(isFlowNode)).toBe(true)
      expect(graph.nodes.slice(1).every((node) => /^[A-Za-z0-9]{30}$/.test(node.id))).toBe(true)
    }
  })

  test.each(templateIds)('[FL70] %s leads every contact to people or to a goodbye, and every step is used', (id) => {
    const graph = make(id)
    const reached = new Set<string>()
    for (let seed = 0; seed < 300; seed++) {
      const roll = dice(seed)
      const talk = new Talk(graph)
      // Half of the contacts write while the company is closed.
      const entry = { weekday: '', weekdayEn: 'thursday' as const, startTime: '08:00', endTime: '08:00' }
      talk.known = { ...talk.known, hours: { company: seed % 2 ? [entry] : [], connection: [], queues: {} } }
      talk.start('oi')
      for (let i = 0; i < 80 && !talk.run.ended; i++) {
        const node = nodesById(graph).get(talk.run.node!)!
        if (node.type === 'menu') talk.hear(String(1 + Math.floor(roll() * node.data.options.length)))
        else if (node.type !== 'question') talk.pass(120)
        else if (node.data.kind === 'file') talk.hear('', picture)
        else if (node.data.kind === 'number') talk.hear(['2', '5', '150'][Math.floor(roll() * 3)]!)
        else talk.hear(right[node.data.kind]!)
        if (talk.run.wait?.kind === 'gather') talk.pass(4)
      }
      expect(talk.run.ended?.why).toBeOneOf(['queue', 'close'])
      for (const node of talk.path) reached.add(node)
    }
    const missed = graph.nodes.filter((node) => !reached.has(node.id)).map(({ data }) => data)
    expect(missed).toEqual([])
  })

  test.each(templateIds)('[FL70] %s speaks Spanish and English too, with the same steps and nothing wrong', (id) => {
    const written = make(id)
    for (const language of languages.filter((one) => one !== 'pt')) {
      const told = make(id, 7, language)
      expect(checkFlow(told, { variables: new Set(), queues: new Set([7]), self: 1, flows: new Set() })).toEqual([])
      expect(told.nodes.map(({ type, exits }) => ({ type, exits }))).toEqual(
        written.nodes.map(({ type, exits }) => ({ type, exits })),
      )
      // Whatever a person reads has another wording, but for a few words that are the same.
      const texts = (graph: typeof told) => JSON.stringify(graph.nodes.map(({ data }) => data))
      expect(texts(told)).not.toMatch(/ção|ções|você|não |às |ão!|õe/i)
    }
  })

  test('[FL70] Maria orders bread at the bakery, and the agents read what she wants', () => {
    const talk = new Talk(make('bakeryOrders')).start('oi')
    expect(talk.said[0]).toBe('Boa tarde, Maria! Aqui é da padaria. 🥖')
    talk.hear('2')
    expect(talk.said[0]).toStartWith('Pão francês')
    talk.hear('fazer uma encomenda').hear('30 pães de queijo').hear('e um bolo').pass(4)
    expect(talk.said).toEqual(['Para que dia? (por exemplo 25/12, ou amanhã)'])
    expect(talk.hear('quando der').said[0]).toContain('25/12/2026')
    talk.hear('amanhã').hear('9h')
    expect(talk.said[0]).toBe(
      'Confira, por favor:\n\n30 pães de queijo\ne um bolo\n\nDia 16/01/2026, às 09:00.\n\n[1] Está certo\n[2] Quero corrigir',
    )
    talk.hear('1')
    expect(talk.last).toMatchObject([
      { kind: 'note', text: 'Encomenda: 30 pães de queijo\ne um bolo\nRetirada: 16/01/2026 às 09:00' },
      { kind: 'send' },
      { kind: 'toQueue', queueId: 7 },
    ])
  })
})
