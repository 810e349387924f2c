import { isGood, isRecord } from '../outside/outside.call.ts'
import { textOf } from './bots.answer.ts'
import { below, type BotDeps, callBot, refusalOf, unreadable } from './bots.call.ts'
import {
  type BillingSystem,
  centsOf,
  codeOf,
  dayOf,
  type Invoice,
  MOST_INVOICES,
  phonesOf,
} from './bots.billing.port.ts'

/** IXC Soft. @param address its server, with or without `https://` */
export function ixc(deps: BotDeps, { address, token }: { address: string; token: string }): BillingSystem {
  const base = below(withScheme(address), '/webservice/v1')
  const headers = {
    authorization: `Basic ${Buffer.from(token).toString('base64')}`,
    'content-type': 'application/json',
  }
  /** IXC takes searches as GET with a body, which cannot be sent here, and as POST with the word `listar`. */
  const post = async (path: string, body: unknown, isList: boolean) => {
    const reply = await callBot(deps, below(base, path), {
      method: 'POST',
      headers: { ...headers, ...(isList && { ixcsoft: 'listar' }) },
      body: JSON.stringify(body),
    })
    if (!isGood(reply)) throw refusalOf(reply)
    return reply
  }
  const rows = async (
    table: string,
    field: string,
    query: string,
    where: { TB: string; OP: string; P: string }[] = [],
  ) => {
    const reply = await post(
      `/${table}`,
      {
        ...{ qtype: `${table}.${field}`, query, oper: '=', page: '1', rp: '20' },
        ...{ sortname: `${table}.id`, sortorder: 'asc' },
        ...(where.length > 0 && { grid_param: JSON.stringify(where) }),
      },
      true,
    )
    if (!isRecord(reply.body)) throw unreadable(reply)
    // Where nothing is found, there is no list at all.
    return (Array.isArray(reply.body.registros) ? reply.body.registros : []).filter(isRecord)
  }
  const pixOf = async (id: string): Promise<string | undefined> => {
    const { body } = await post('/get_pix', { id_areceber: id }, false)
    const pix = isRecord(body) && isRecord(body.pix) ? body.pix : undefined
    const code = pix && isRecord(pix.qrCode) ? pix.qrCode : undefined
    return codeOf(code?.qrcode)
  }

  return {
    async find(document) {
      const [customer] = await rows('cliente', 'cnpj_cpf', document.punctuated)
      const id = customer && idText(customer.id)
      if (!customer || !id) return null
      const open = await rows('fn_areceber', 'id_cliente', id, [{ TB: 'fn_areceber.status', OP: '=', P: 'A' }])
      const due = open
        .map((row) => ({ row, id: idText(row.id), amount: centsOf(row.valor), dueDate: dayOf(row.data_vencimento) }))
        .filter((one): one is typeof one & { id: string; amount: number; dueDate: string } =>
          Boolean(one.id && one.amount !== undefined && one.dueDate),
        )
        .sort((a, b) => a.dueDate.localeCompare(b.dueDate))
        .slice(0, MOST_INVOICES)
      const invoices: Invoice[] = []
      for (const { row, id: invoiceId, amount, dueDate } of due) {
        const pix = await pixOf(invoiceId)
        const line = codeOf(row.linha_digitavel)
        invoices.push({ amount, dueDate, ...(line && { line }), ...(pix && { pix }) })
      }
      const contracts = await rows('cliente_contrato', 'id_cliente', id)
      // Blocked for what is owed; who is blocked by hand, or has left, is not opened on trust.
      const blocked = contracts.find(
        ({ status_internet, desbloqueio_confianca }) =>
          (status_internet === 'CA' || status_internet === 'FA') && desbloqueio_confianca !== 'N',
      )
      const unlockRef = blocked && idText(blocked.id)
      return {
        name: textOf(customer.razao, 200) ?? '',
        phones: phonesOf(customer.whatsapp, customer.telefone_celular, customer.telefone_comercial, customer.fone),
        invoices,
        ...(unlockRef && { unlockRef }),
      }
    },
    async unlock(ref) {
      const { body } = await post('/desbloqueio_confianca', { id: ref }, false)
      const says = isRecord(body) ? textOf(body.mensagem, 300) : undefined
      // 107: it was open already.
      const isUnlocked = isRecord(body) && (body.tipo === 'sucesso' || String(body.codigo) === '107')
      return { isUnlocked, ...(says && { says }) }
    },
  }
}

/** As people write the address of their own server: with `https://` or without. */
export const withScheme = (address: string): string => (address.includes('://') ? address : `https://${address}`)

const idText = (value: unknown): string | undefined =>
  (typeof value === 'string' || typeof value === 'number') && /^\d{1,12}$/.test(String(value))
    ? String(value)
    : undefined
