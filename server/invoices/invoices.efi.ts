import { below, isGood, isRecord } from '../outside/outside.call.ts'
import { createHash } from 'node:crypto'
import { centsOf, moneyOf } from '../../schema/invoices/invoices.due.ts'
import { type CallDeps, callService, PaymentFailed, refusalOf, type Reply, unreadable } from './invoices.call.ts'
import type { ChargeRequest, ChargeState, MadeCharge, PaymentProvider } from './invoices.port.ts'

export const EFI_BASE = 'https://pix.api.efipay.com.br'
/** Seconds within which a charge is paid, or not at all. */
const EXPIRY_SECONDS = 3_600

interface EfiSettings {
  efiClientId: string
  efiClientSecret: string
  /** Certificate and private key, PEM. */
  efiCertificate: string
  efiBaseUrl: string
  pixKey: string
}

/** Tokens are good for an hour: whoever has the same keys takes the same one. */
const tokens = new Map<string, { text: string; until: number }>()

/** Immediate charges of Efí, by the rules that Pix of any bank has; only the token is Efí's own. */
export function efi(deps: CallDeps, settings: EfiSettings): PaymentProvider {
  const { call, enterAnew } = efiCalls(deps, settings)

  return {
    asksDocument: false,

    async create({ ref, cents, description, payer }: ChargeRequest) {
      const path = `/v2/cob/${ref}`
      let reply = await call('PUT', path, {
        calendario: { expiracao: EXPIRY_SECONDS },
        ...(payer.document && {
          devedor: { [payer.document.length === 11 ? 'cpf' : 'cnpj']: payer.document, nome: payer.name.slice(0, 200) },
        }),
        valor: { original: moneyOf(cents) },
        chave: settings.pixKey,
        solicitacaoPagador: description.slice(0, 140),
      })
      // Another tab has asked for the same one, or our answer was lost.
      if (reply.status === 409) reply = await call('GET', path)
      if (!isGood(reply)) throw refusalOf(reply, codeOf(reply.body))
      const { cents: asked, ...charge } = chargeOf(reply, ref, deps.now())
      if (asked !== cents) throw new PaymentFailed('refused', 'the charge is of another amount')
      return charge
    },

    async status(ref) {
      const reply = await call('GET', `/v2/cob/${ref}`)
      if (reply.status === 404) return { ...nothing, state: 'ended' }
      if (!isGood(reply)) throw refusalOf(reply, codeOf(reply.body))
      const { body } = reply
      if (!isRecord(body) || body.txid !== ref || typeof body.status !== 'string') throw unreadable(reply)
      if (body.status === 'CONCLUIDA') return paidOf(body)
      return { ...nothing, state: body.status.startsWith('REMOVIDA') ? 'ended' : 'open' }
    },

    async takeBack(ref) {
      const reply = await call('PATCH', `/v2/cob/${ref}`, { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' })
      if (isGood(reply)) return 'gone'
      if (reply.status === 404) return 'unknown'
      // It takes back only what is open: what it is now, it says itself.
      const { state } = await this.status(ref)
      if (state === 'open') throw refusalOf(reply, codeOf(reply.body))
      return state === 'paid' ? 'paid' : 'gone'
    },

    async check() {
      await enterAnew()
    },

    async subscribe(webhookUrl) {
      const reply = await call(
        'PUT',
        `/v2/webhook/${encodeURIComponent(settings.pixKey)}`,
        { webhookUrl },
        {
          // Who calls shows no certificate to us: the secret in the address stands for it.
          'x-skip-mtls-checking': 'true',
        },
      )
      if (!isGood(reply)) throw refusalOf(reply, codeOf(reply.body))
    },
  }
}

/** Calls with a token, which is asked for where there is none that is good. */
function efiCalls(deps: CallDeps, settings: EfiSettings) {
  const base = settings.efiBaseUrl || EFI_BASE
  const identity = { cert: settings.efiCertificate, key: settings.efiCertificate }
  const keys = createHash('sha256')
    .update(JSON.stringify([base, settings]))
    .digest('hex')

  async function token(): Promise<string> {
    const now = deps.now().getTime()
    const kept = tokens.get(keys)
    if (kept && kept.until > now) return kept.text
    const basic = Buffer.from(`${settings.efiClientId}:${settings.efiClientSecret}`).toString('base64')
    const reply = await callService(deps, below(base, '/oauth/token'), {
      method: 'POST',
      headers: { authorization: `Basic ${basic}`, 'content-type': 'application/json' },
      body: JSON.stringify({ grant_type: 'client_credentials' }),
      identity,
    })
    if (!isGood(reply)) throw refusalOf(reply, codeOf(reply.body))
    const { access_token: text, expires_in: seconds } = isRecord(reply.body) ? reply.body : {}
    if (typeof text !== 'string' || text === '') throw unreadable(reply)
    tokens.clear()
    tokens.set(keys, { text, until: now + (Number(seconds) || 0) * 1_000 - 60_000 })
    return text
  }

  async function call(method: string, path: string, body?: unknown, headers = {}): Promise<Reply> {
    const once = async () =>
      callService(deps, below(base, path), {
        method,
        headers: { authorization: `Bearer ${await token()}`, 'content-type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        identity,
      })
    const reply = await once()
    if (reply.status !== 401) return reply
    // It was taken back before its time.
    tokens.delete(keys)
    return once()
  }

  /** @throws PaymentFailed where the keys are not taken */
  async function enterAnew(): Promise<void> {
    tokens.delete(keys)
    await token()
  }

  return { call, enterAnew }
}

/** @throws PaymentFailed where it is no answer about this charge */
function chargeOf(reply: Reply, ref: string, now: Date): MadeCharge & { cents: number } {
  const { body } = reply
  if (!isRecord(body) || body.txid !== ref || typeof body.pixCopiaECola !== 'string') throw unreadable(reply)
  const { calendario, valor } = body
  const made = isRecord(calendario) ? Date.parse(String(calendario.criacao)) : NaN
  const seconds = (isRecord(calendario) && Number(calendario.expiracao)) || EXPIRY_SECONDS
  return {
    copyPaste: body.pixCopiaECola,
    expiresAt: new Date((Number.isNaN(made) ? now.getTime() : made) + seconds * 1_000),
    cents: isRecord(valor) ? centsOf(String(valor.original)) : NaN,
  }
}

const nothing = { paidCents: 0, returningCents: 0 }
/** A return that has happened, and one that will not. */
const settledReturns = ['DEVOLVIDO', 'NAO_REALIZADO']

/** Cents of a Pix that go back to whoever paid it, of those returns that count. */
function returnedOf({ devolucoes }: Record<string, unknown>, counts: (status: string) => boolean): number {
  const all = Array.isArray(devolucoes) ? (devolucoes as unknown[]).filter(isRecord) : []
  return all
    .filter(({ status }) => counts(String(status)))
    .reduce((sum, { valor }) => sum + (centsOf(String(valor)) || 0), 0)
}

/** What is there of a charge that was paid. */
function paidOf({ pix }: Record<string, unknown>): ChargeState {
  const paid = Array.isArray(pix) ? (pix as unknown[]).filter(isRecord) : []
  const sumOf = (count: (one: Record<string, unknown>) => number) => paid.reduce((sum, one) => sum + count(one), 0)
  const returningCents = sumOf((one) => returnedOf(one, (status) => !settledReturns.includes(status)))
  // What was given back meanwhile is not there any more.
  const returned = sumOf((one) => returnedOf(one, (status) => status === 'DEVOLVIDO'))
  const arrived = sumOf(({ valor }) => centsOf(String(valor)) || 0)
  return { state: 'paid', paidCents: arrived - returned - returningCents, returningCents }
}

/** `{nome}`, or the last word of a problem's `type`. */
function codeOf(body: unknown): unknown {
  if (!isRecord(body)) return undefined
  if (typeof body.nome === 'string') return body.nome
  return typeof body.type === 'string' ? body.type.split('/').at(-1) : undefined
}
