import { describe, expect, test } from 'bun:test'
import { auditedTables, namedBy } from '../../schema/audit/audit.nouns.ts'
import { campaignSettingKeys } from '../../schema/campaigns/campaigns.settings.ts'
import { plainTexts } from '../../tests/support/lingui.ts'

await plainTexts()
const { useAuditFields: auditFields } = await import('./audit.fields.ts')
const fields = auditFields()

const entry = (entity: string, more: object = {}) =>
  ({ entity, entityId: '2', before: null, after: null, names: {}, ...more }) as never

describe('the audit log in words', () => {
  test('every column of every audited table has a label', () => {
    const unnamed = Object.values(auditedTables).flatMap(({ entity, recorded, masked = [] }) =>
      [...recorded, ...masked].filter((field) => !fields.labelOf(entity, field)).map((field) => `${entity}.${field}`),
    )
    expect(unnamed).toEqual([])
  })

  test('so has what an entry tells beside its table', () => {
    const facts = [
      'queueIds',
      'twoFactor',
      'providerLinked',
      'format',
      'userAgent',
      'readOnly',
      'endedBy',
      'reason',
      'dailyCap',
    ]
    for (const fact of [...facts, 'newChatCap', 'stopped', 'userId', 'ref', 'paidValue', 'company', 'provider'])
      expect([fact, fields.labelOf('session', fact)]).toEqual([fact, expect.any(String)])
  })

  test('every id of a thing is told by a name, and every name has its column', () => {
    const columns = Object.values(auditedTables).flatMap(({ recorded }) => recorded)
    const ids = columns.filter((column) => /(Id|Ids)$|^flowId/.test(column) && column !== 'clientId')
    expect(ids.filter((column) => !namedBy[column])).toEqual([])
  })

  test('things are told by their names, and what is gone by its number', () => {
    const names = { 'queue:3': 'Vendas', 'queue:4': 'Suporte' }
    expect(fields.textOf(entry('whatsapp', { names }), 'queueIds', [3, 4, 9])).toBe('Vendas, Suporte, nº 9')
    expect(fields.textOf(entry('user', { names }), 'queueId', 3)).toBe('Vendas')
  })

  test('values are told as people read them', () => {
    expect(fields.textOf(entry('user'), 'allTicket', true)).toBe('Sim')
    expect(fields.textOf(entry('company'), 'dueDate', '2026-12-31')).toBe('31/12/2026')
    expect(fields.textOf(entry('plan'), 'value', '149.90').replace(/\s/g, ' ')).toBe('R$ 149,90')
    expect(fields.textOf(entry('segment'), 'rules', [{}, {}])).toBe('2 regras')
    expect(fields.textOf(entry('campaign'), 'status', 'PAUSADA')).toBe('Pausada')
    const { invoice, company } = { invoice: entry('invoice'), company: entry('company') }
    expect(fields.textOf(invoice, 'status', 'paid')).toBe('Pago')
    expect([true, false].map((state) => fields.textOf(company, 'status', state))).toEqual(['Ativa', 'Inativa'])
    const monday = { weekday: 'Segunda-feira', weekdayEn: 'monday', startTime: '08:00', endTime: '18:00' }
    expect(fields.textOf(entry('queue'), 'schedules', [monday])).toBe('segunda-feira: 08:00–18:00')
    expect(fields.textOf(entry('queue'), 'promptId', null)).toBe('—')
  })

  test('what stands inside a value is called as its form calls it', () => {
    const account = {
      pixKey: 'caixa@operador.test',
      pixName: 'Operador',
      pixCity: '',
      efiClientId: '',
      asaasBaseUrl: '',
    }
    expect(fields.textOf(entry('paymentAccount'), 'config', account)).toBe(
      'Chave Pix: caixa@operador.test\nNome de quem recebe: Operador',
    )
    expect(fields.textOf(entry('integration'), 'options', { billingSystem: 'ixc' })).toBe('Sistema: IXC Soft')
    expect(fields.textOf(entry('integration'), 'options', {})).toBe('—')
  })

  test('a secret stays what the log has of it', () => {
    for (const { entity, masked = [] } of Object.values(auditedTables))
      for (const field of masked) expect(fields.textOf(entry(entity), field, '••••••')).toBe('••••••')
  })

  test('the title names the thing also where only what differs is told', () => {
    expect(fields.nameOf(entry('company', { after: { phone: '1' }, names: { 'company:2': 'Café Aurora' } }))).toBe(
      'Café Aurora',
    )
    expect(fields.nameOf(entry('queueOption', { before: { title: 'Boletos' } }))).toBe('Boletos')
    expect(fields.nameOf(entry('campaignSetting', { entityId: 'line 3', names: { 'connection:3': 'Loja' } }))).toBe(
      'Loja',
    )
    expect(fields.nameOf(entry('campaignSetting', { entityId: 'longerIntervalAfter' }))).toBe('Intervalo maior após')
    expect(fields.nameOf(entry('tag'))).toBe('nº 2')
    expect(fields.nameOf(entry('session'))).toBeUndefined()
  })

  test('the settings of campaigns are told as their screen says them', () => {
    for (const key of campaignSettingKeys)
      expect(fields.textOf(entry('campaignSetting', { entityId: key }), 'key', key)).not.toBe(key)
    const told = (key: string, value: unknown) =>
      fields.textOf(entry('campaignSetting', { entityId: key }), 'value', JSON.stringify(value))
    expect(told('greaterInterval', 20)).toBe('20 segundos')
    expect(told('optOutWords', ['SAIR', 'PARAR'])).toBe('SAIR, PARAR')
    expect(told('hours', { periods: { monday: [{ from: '08:00', to: '18:00' }] }, holidays: [] })).toBe(
      'segunda-feira: 08:00–18:00',
    )
  })
})
