import { type FakeService, json, Troubles } from './serve.ts'

interface Customer {
  id: number
  name: string
  /** As it is punctuated. */
  document: string
  phone: string
  isBlocked?: true
  invoices: { id: number; value: number; due: string; isOverdue?: true }[]
}

/** The customers of an internet provider, who are billed by whichever system is asked. */
export const billed: Customer[] = [
  {
    id: 11,
    name: 'MARIA APARECIDA DA SILVA',
    document: '529.982.247-25',
    phone: '(11) 99999-0001',
    invoices: [
      { id: 902, value: 99.9, due: '2026-11-10', isOverdue: true },
      { id: 901, value: 1234.5, due: '2026-10-10', isOverdue: true },
    ],
  },
  {
    id: 12,
    name: 'João Pereira',
    document: '111.444.777-35',
    phone: '5511988887777',
    isBlocked: true,
    invoices: [{ id: 903, value: 79, due: '2026-11-05', isOverdue: true }],
  },
  { id: 13, name: 'Padaria Central Ltda', document: '12.ABC.345/01DE-35', phone: '1133334444', invoices: [] },
  {
    id: 14,
    name: 'Ana Souza',
    document: '390.533.447-05',
    phone: '11977776666',
    invoices: [{ id: 904, value: 59.9, due: '2026-12-10' }],
  },
]

const bare = (document: string) => document.replace(/[^A-Z\d]/g, '')
export const lineOf = (id: number) => `23793.38128 60000.00${id}3 71000.063305 1 98760000009990`
export const pixOf = (id: number) =>
  `00020126580014br.gov.bcb.pix0136${id}-e89b-12d3-a456-4266141740005204000053039865802BR`

export function fakeAsaas({ key = '$aact_test_key' }: { key?: string } = {}) {
  const troubles = new Troubles()
  const calls: string[] = []
  const invoice = (id: number) => billed.flatMap(({ invoices }) => invoices).find((one) => one.id === id)
  return {
    key,
    troubles,
    calls,
    async handle(request: Request, path: string): Promise<Response> {
      const trouble = await troubles.take()
      if (trouble) return trouble
      if (!request.headers.get('user-agent')) return json({ errors: [{ code: 'user_agent_required' }] }, 400)
      if (request.headers.get('access_token') !== key)
        return json(
          { errors: [{ code: 'invalid_access_token', description: 'A chave de API fornecida é inválida' }] },
          401,
        )
      const query = new URL(request.url).searchParams
      calls.push(`${path}?${query}`)
      if (path === '/v3/customers') {
        const found = billed.filter(({ document }) => bare(document) === query.get('cpfCnpj'))
        return json({
          object: 'list',
          totalCount: found.length,
          data: found.map(({ id, name, phone }) => ({
            object: 'customer',
            id: `cus_${id}`,
            name,
            mobilePhone: phone,
            address: 'Rua Secreta, 1',
          })),
        })
      }
      if (path === '/v3/payments') {
        const customer = billed.find(({ id }) => `cus_${id}` === query.get('customer'))
        const wanted = (customer?.invoices ?? []).filter(
          ({ isOverdue }) => (query.get('status') === 'OVERDUE') === Boolean(isOverdue),
        )
        return json({
          object: 'list',
          data: wanted.map(({ id, value, due }) => ({
            object: 'payment',
            id: `pay_${id}`,
            value,
            dueDate: due,
            billingType: 'BOLETO',
            invoiceUrl: `https://www.asaas.com/i/${id}`,
          })),
        })
      }
      const [, id, what] = /^\/v3\/payments\/pay_(\d+)\/(pixQrCode|identificationField)$/.exec(path) ?? []
      if (!id || !invoice(Number(id))) return json({ errors: [{ code: 'not_found' }] }, 404)
      return what === 'pixQrCode'
        ? json({ encodedImage: 'iVBORw0KGgo=', payload: pixOf(Number(id)), expirationDate: '2026-12-31 23:59:59' })
        : json({ identificationField: lineOf(Number(id)), nossoNumero: '1', barCode: '2' })
    },
  } satisfies FakeService & Record<string, unknown>
}

export function fakeIxc({ token = '7:ixc-test-token' }: { token?: string } = {}) {
  const troubles = new Troubles()
  const unlocked: number[] = []
  const list = (registros: unknown[]) =>
    json({ page: '1', total: String(registros.length), ...(registros.length > 0 && { registros }) })
  return {
    token,
    troubles,
    unlocked,
    async handle(request: Request, path: string): Promise<Response> {
      const trouble = await troubles.take()
      if (trouble) return trouble
      if (request.headers.get('authorization') !== `Basic ${Buffer.from(token).toString('base64')}`)
        return new Response('<html>401 Unauthorized</html>', { status: 401 })
      const table = path.replace('/webservice/v1/', '')
      const body = (await request.json()) as Record<string, string>
      const isList = request.headers.get('ixcsoft') === 'listar'
      if (table === 'get_pix')
        return json({
          type: 'success',
          pix: { qrCode: { qrcode: pixOf(Number(body.id_areceber)), imagemQrcode: 'data:' } },
        })
      if (table === 'desbloqueio_confianca') {
        const customer = billed.find(({ id }) => id * 10 === Number(body.id))
        if (!customer?.isBlocked)
          return json({ codigo: '109', tipo: 'erro', mensagem: 'Contrato não pode ser desbloqueado' })
        unlocked.push(Number(body.id))
        return json({ codigo: '1', tipo: 'sucesso', mensagem: 'Contrato desbloqueado' })
      }
      // Without the word, IXC takes a POST for a new row.
      if (!isList || !body.qtype?.startsWith(`${table}.`)) return json({ type: 'error', message: 'Preencha os campos' })
      if (table === 'cliente')
        return list(
          billed
            .filter(({ document }) => document === body.query)
            .map(({ id, name, phone }) => ({
              id: String(id),
              razao: name,
              telefone_celular: phone,
              endereco: 'Rua Secreta',
            })),
        )
      const customer = billed.find(({ id }) => String(id) === body.query)
      if (table === 'fn_areceber') {
        if (!body.grid_param?.includes('"P":"A"')) return list([])
        return list(
          (customer?.invoices ?? []).map(({ id, value, due }) => ({
            id: String(id),
            valor: value.toFixed(2),
            data_vencimento: due,
            linha_digitavel: lineOf(id),
            status: 'A',
          })),
        )
      }
      if (table === 'cliente_contrato')
        return list(
          customer
            ? [
                {
                  id: String(customer.id * 10),
                  status: 'A',
                  status_internet: customer.isBlocked ? 'CA' : 'A',
                  desbloqueio_confianca: 'P',
                },
              ]
            : [],
        )
      return new Response('', { status: 404 })
    },
  } satisfies FakeService & Record<string, unknown>
}

export function fakeMkAuth({ clientId = 'Client_Id_test', clientSecret = 'Client_Secret_test' } = {}) {
  const troubles = new Troubles()
  const unlocked: string[] = []
  const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJpZCI6MX0.c2ln'
  return {
    clientId,
    clientSecret,
    troubles,
    unlocked,
    async handle(request: Request, path: string): Promise<Response> {
      const trouble = await troubles.take()
      if (trouble) return trouble
      const given = request.headers.get('authorization')
      if (path === '/api/') {
        const right = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
        return given === right ? new Response(jwt) : new Response('', { status: 401 })
      }
      if (given !== `Bearer ${jwt}`) return json({ error: 'token' }, 401)
      const [, document] = /^\/api\/cliente\/show\/([A-Z\d]+)$/.exec(path) ?? []
      if (document) {
        const customer = billed.find((one) => bare(one.document) === document)
        if (!customer) return json('NULL')
        return json({
          dados_cliente: {
            nome: customer.name,
            uuid_cliente: `uuid-${customer.id}`,
            bloqueado: customer.isBlocked ? 'sim' : 'nao',
            celular: customer.phone,
            titulos: customer.invoices.map(({ id, value, due }) => ({
              nome: customer.name,
              valor: String(value),
              datavenc: `${due} 00:00:00`,
              linhadig: lineOf(id),
              qrcode: pixOf(id),
              bloqueado: customer.isBlocked ? 'sim' : 'nao',
              uuid_cliente: `uuid-${customer.id}`,
            })),
          },
        })
      }
      const [, uuid] = /^\/api\/cliente\/desbloqueio\/([\w-]+)$/.exec(path) ?? []
      if (!uuid) return new Response('', { status: 404 })
      unlocked.push(uuid)
      return json({ status: 'sucesso', mensagem: 'Cliente desbloqueado' })
    },
  } satisfies FakeService & Record<string, unknown>
}
