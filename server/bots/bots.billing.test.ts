import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { fakeAsaas, fakeIxc, fakeMkAuth, lineOf, pixOf } from '../../tests/fakes/bots/billing.ts'
import { serveFakes } from '../../tests/fakes/bots/serve.ts'
import type { BotAnswer } from './bots.answer.ts'
import { askBilling, type BillingSettings } from './bots.billing.ts'
import { centsOf, dayOf, isOnFile } from './bots.billing.port.ts'
import { documentIn, documentOf } from '../../schema/documents.ts'
import { answerIn, botDeps, saying, textsOf } from './bots.fixture.ts'

const asaas = fakeAsaas()
const ixc = fakeIxc()
const mkauth = fakeMkAuth()
let served: ReturnType<typeof serveFakes<'asaas' | 'ixc' | 'mkauth'>>
let systems: Record<string, BillingSettings>
beforeAll(() => {
  served = serveFakes({ asaas, ixc, mkauth })
  systems = {
    Asaas: { system: 'asaas', apiKey: asaas.key, baseUrl: `${served.urls.asaas}/v3` },
    'IXC Soft': { system: 'ixc', address: served.urls.ixc, token: ixc.token },
    'MK-Auth': {
      ...{ system: 'mkauth', address: served.urls.mkauth },
      ...{ clientId: mkauth.clientId, clientSecret: mkauth.clientSecret },
    },
  }
})
afterAll(() => served.stop())
beforeEach(() => {
  ixc.unlocked.length = 0
  mkauth.unlocked.length = 0
})

function contact(settings: BillingSettings, number = '5511999990001', earlier = 0) {
  let session: unknown
  return async (text: string): Promise<BotAnswer> => {
    const conversation = saying(text, { session })
    const asked = { ...conversation, contact: { ...conversation.contact, number } }
    const answer = answerIn(await askBilling(botDeps().deps, settings, asked, earlier))
    if (answer.session !== undefined) session = answer.session
    return answer
  }
}

for (const name of ['Asaas', 'IXC Soft', 'MK-Auth'])
  describe(`with ${name} a contact`, () => {
    test('is asked for a document and told what is open, each code by itself', async () => {
      const say = contact(systems[name]!)
      expect(textsOf(await say('quero minha fatura'))).toEqual([
        'Para localizar sua fatura, envie o CPF ou CNPJ do titular.',
      ])
      const answer = await say('é 529.982.247-25')
      const said = textsOf(answer)
      expect(said[0]).toBe('Olá, Maria! Encontrei 2 faturas em aberto:')
      // The oldest first.
      expect(said[1]).toStartWith('Valor: *R$ 1.234,50*\nVencimento: *10/10/2026*')
      expect(said.slice(2, 6)).toEqual(['Linha digitável, para copiar:', lineOf(901), 'Pix copia e cola:', pixOf(901)])
      expect(said.at(-1)).toBe('Se precisar de mais alguma coisa, é só escrever.')
      expect(answer.stop).toBe(true)
      // Whoever guessed a document learns no full name and no address.
      expect(said.join()).not.toMatch(/silva|aparecida|rua/i)
    })

    test('without open invoices, with one that is not due yet, and with an alphanumeric CNPJ is told so', async () => {
      expect(textsOf(await contact(systems[name]!)('12abc34501de35'))[0]).toBe(
        'Olá, Padaria! Não há faturas em aberto no seu cadastro.',
      )
      expect(textsOf(await contact(systems[name]!)('39053344705'))[1]).toContain('10/12/2026')
    })

    test('whom the system does not know may look up three documents a day', async () => {
      const say = contact(systems[name]!)
      expect(textsOf(await say('111.222.333-96'))).toEqual([
        'Não encontrei cadastro com esse CPF ou CNPJ. Confira e envie de novo.',
      ])
      expect(textsOf(await say('123.456.789-09'))[0]).toContain('Não encontrei')
      expect(await say('987.654.321-00')).toMatchObject({
        stop: true,
        transferTo: { queueId: null },
        session: { lookups: 3 },
      })
      expect(await contact(systems[name]!, undefined, 3)('529.982.247-25')).toMatchObject({
        transferTo: { queueId: null },
      })
    })

    test('learns nothing where the keys are wrong', async () => {
      const wrong = { ...systems[name], apiKey: 'x', token: 'x', clientSecret: 'x' } as unknown as BillingSettings
      const failure = await askBilling(botDeps().deps, wrong, saying('529.982.247-25'))
      expect(failure).toMatchObject({ failed: 'final', why: 'credentials' })
      const missing = { ...systems[name], apiKey: '', token: '', clientSecret: '' } as unknown as BillingSettings
      expect(await askBilling(botDeps().deps, missing, saying('oi'))).toMatchObject({
        failed: 'final',
        why: 'settings',
      })
    })
  })

for (const name of ['IXC Soft', 'MK-Auth'])
  describe(`with ${name} a blocked customer`, () => {
    const unlocked = () => [...ixc.unlocked, ...mkauth.unlocked]
    test('may open the connection on trust, from the number on file', async () => {
      const say = contact(systems[name]!, '551188887777')
      expect(textsOf(await say('11144477735')).at(-1)).toContain('Quer um desbloqueio de confiança?')
      expect(textsOf(await say('talvez'))).toEqual(['Responda *1* para sim ou *2* para não.'])
      expect(unlocked()).toEqual([])
      const done = await say('Sim')
      expect(textsOf(done)[0]).toStartWith('Pronto, a conexão foi liberada.')
      expect(unlocked()).toHaveLength(1)
      expect(done.stop).toBe(true)
    })

    test('is not offered it from another number', async () => {
      const say = contact(systems[name]!, '5521988887777')
      expect(textsOf(await say('11144477735')).join()).not.toContain('desbloqueio')
      await say('1')
      expect(unlocked()).toEqual([])
    })

    test('may say no', async () => {
      const say = contact(systems[name]!, '5511988887777')
      await say('11144477735')
      expect(await say('2')).toMatchObject({ stop: true })
      expect(unlocked()).toEqual([])
    })
  })

describe('a contact who writes no document', () => {
  test('is asked again, told when a number is none, and handed over at last', async () => {
    const say = contact(systems.Asaas!)
    await say('oi')
    expect(textsOf(await say('qual?'))[0]).toContain('envie o CPF')
    expect(textsOf(await say('123'))[0]).toContain('não é válido')
    expect(await say('atendente')).toMatchObject({ transferTo: { queueId: null }, stop: true })
  })
})

describe('a document', () => {
  test('is valid by its check digits, punctuated or not, within a sentence', () => {
    expect(documentOf('529.982.247-25')).toEqual({ kind: 'cpf', value: '52998224725', punctuated: '529.982.247-25' })
    expect(documentOf('11222333000181')).toMatchObject({ kind: 'cnpj', punctuated: '11.222.333/0001-81' })
    expect(documentOf('12.ABC.345/01DE-35')).toMatchObject({ kind: 'cnpj', value: '12ABC34501DE35' })
    expect(documentIn('meu cpf é 52998224725, tá?')?.value).toBe('52998224725')
    expect(documentIn('cnpj 12.abc.345/01de-35')?.value).toBe('12ABC34501DE35')
    for (const wrong of [
      '529.982.247-26',
      '111.111.111-11',
      '00000000000',
      '11222333000182',
      '12.ABC.345/01DE-36',
      '',
      'abc',
      '5511999990001',
    ])
      expect([wrong, documentIn(wrong)]).toEqual([wrong, undefined])
  })

  test('is looked for in time, whatever is sent', () => {
    const begin = performance.now()
    for (const text of ['1'.repeat(100_000), 'A1.'.repeat(50_000), '.'.repeat(100_000)]) documentIn(text)
    expect(performance.now() - begin).toBeLessThan(200)
  })
})

test('amounts, days and phones are read as systems write them', () => {
  expect(['99.90', '1.234,56', 99.9, '0,5', '1e9', '', 'x', -1, null].map(centsOf)).toEqual([
    ...[9990, 123456, 9990, 50],
    ...[undefined, undefined, undefined, undefined, undefined],
  ])
  expect(['2026-10-10', '2026-10-10 00:00:00', '10/10/2026', '10-10', 3].map(dayOf)).toEqual([
    ...['2026-10-10', '2026-10-10', '2026-10-10', undefined, undefined],
  ])
  expect(isOnFile('5511988887777', ['(11) 98888-7777'.replace(/\D/g, '')])).toBe(true)
  expect(isOnFile('551188887777', ['11988887777'])).toBe(true)
  expect(isOnFile('5511988887777', ['21988887777'])).toBe(false)
  expect(isOnFile('5511988887777', ['88887777'])).toBe(false)
  expect(isOnFile('', [''])).toBe(false)
})
