import { isGood, isRecord } from '../outside/outside.call.ts'
import { fail, textOf } from './bots.answer.ts'
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
import { withScheme } from './bots.billing.ixc.ts'

/** MK-Auth. @param address its server, with or without `https://` */
export function mkAuth(
  deps: BotDeps,
  { address, clientId, clientSecret }: { address: string; clientId: string; clientSecret: string },
): BillingSystem {
  const base = below(withScheme(address), '/api')
  const get = async (path: string, authorization: string) => {
    const reply = await callBot(deps, base + path, { headers: { authorization } })
    if (!isGood(reply)) throw refusalOf(reply)
    return reply
  }
  /** Good for ten minutes; each search takes a new one. */
  const token = async (): Promise<string> => {
    const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
    const reply = await get('/', `Basic ${basic}`)
    const jwt = typeof reply.body === 'string' ? reply.body.trim() : ''
    if (!/^[\w-]{1,3000}\.[\w-]{1,3000}\.[\w-]{1,1000}$/.test(jwt))
      throw fail('final', 'credentials', `${reply.host} gives no token`)
    return `Bearer ${jwt}`
  }

  return {
    async find(document) {
      const reply = await get(`/cliente/show/${document.value}`, await token())
      const { body } = reply
      if (isNone(body)) return null
      if (!isRecord(body)) throw unreadable(reply)
      const { dados_cliente } = body
      if (isNone(dados_cliente)) return null
      if (!isRecord(dados_cliente)) throw unreadable(reply)
      const given = dados_cliente.titulos
      // One invoice comes by itself, several as a list or under numbers.
      const list: unknown[] = Array.isArray(given)
        ? given
        : !isRecord(given)
          ? []
          : 'valor' in given
            ? [given]
            : Object.values(given)
      const rows = list.filter(isRecord)
      const [first] = rows
      const invoices = rows
        .flatMap((row): Invoice[] => {
          const amount = centsOf(row.valor)
          const dueDate = dayOf(row.datavenc)
          if (amount === undefined || !dueDate) return []
          const line = codeOf(row.linhadig)
          const pix = codeOf(row.qrcode)
          return [{ amount, dueDate, ...(line && { line }), ...(pix && { pix }) }]
        })
        .sort((a, b) => a.dueDate.localeCompare(b.dueDate))
        .slice(0, MOST_INVOICES)
      const uuid = first?.uuid_cliente ?? dados_cliente.uuid_cliente
      const isBlocked = (first?.bloqueado ?? dados_cliente.bloqueado) === 'sim'
      return {
        name: textOf(first?.nome ?? dados_cliente.nome, 200) ?? '',
        phones: phonesOf(
          ...[dados_cliente, first ?? {}].flatMap(({ celular, celular2, fone }) => [celular, celular2, fone]),
        ),
        invoices,
        ...(isBlocked && typeof uuid === 'string' && /^[\w-]{1,60}$/.test(uuid) && { unlockRef: uuid }),
      }
    },
    async unlock(ref) {
      const { body } = await get(`/cliente/desbloqueio/${ref}`, await token())
      const says = isRecord(body) ? textOf(body.mensagem, 300) : undefined
      // It says little: an answer without a failure in it is a yes.
      const isRefused = body === 'NULL' || (isRecord(body) && /err/i.test(String(body.status ?? body.error ?? '')))
      return { isUnlocked: !isRefused, ...(says && { says }) }
    },
  }
}

/** What it says of nobody. */
const isNone = (value: unknown): boolean => value === 'NULL' || value === null || value === undefined || value === ''
