import { isRecord } from '../outside/outside.call.ts'
import {
  answering,
  type BotAnswer,
  type BotConversation,
  type BotFailure,
  type BotMessage,
  cut,
  fail,
} from './bots.answer.ts'
import { asaas } from './bots.billing.asaas.ts'
import { ixc } from './bots.billing.ixc.ts'
import { mkAuth } from './bots.billing.mkauth.ts'
import { type BilledCustomer, type BillingSystem, type Invoice, isOnFile } from './bots.billing.port.ts'
import type { BotDeps } from './bots.call.ts'
import { documentIn } from '../../schema/documents.ts'

/** Which system a company bills with, and its keys there. */
export type BillingSettings =
  | { system: 'asaas'; apiKey: string; baseUrl: string }
  | { system: 'ixc'; address: string; token: string }
  | { system: 'mkauth'; address: string; clientId: string; clientSecret: string }

export function billingSystem(deps: BotDeps, settings: BillingSettings): BillingSystem {
  const needed = Object.entries(settings).filter(([name]) => name !== 'baseUrl')
  if (needed.some(([, value]) => value === ''))
    throw fail('final', 'settings', 'a key of the billing system is missing')
  if (settings.system === 'asaas') return asaas(deps, settings)
  return settings.system === 'ixc' ? ixc(deps, settings) : mkAuth(deps, settings)
}

interface Session {
  step: 'document' | 'unlock'
  /** Texts without a valid document, since the last one. */
  misses: number
  /** Documents that were looked up in this conversation. */
  lookups: number
  ref?: string
}

/** Documents a day that one contact may look up: more is somebody who tries other people's. */
export const LOOKUPS_A_DAY = 3
const MOST_MISSES = 3

/** What contacts read. Documents of this kind are Brazilian, and so are the words. */
const words = {
  ask: 'Para localizar sua fatura, envie o CPF ou CNPJ do titular.',
  invalid: 'Esse CPF ou CNPJ não é válido. Confira os números e envie de novo.',
  unknown: 'Não encontrei cadastro com esse CPF ou CNPJ. Confira e envie de novo.',
  agent: 'Vou chamar um atendente para ajudar você.',
  paid: (name: string) => `${greeting(name)} Não há faturas em aberto no seu cadastro.`,
  found: (name: string, count: number) =>
    `${greeting(name)} ${count === 1 ? 'Encontrei uma fatura em aberto' : `Encontrei ${count} faturas em aberto`}:`,
  invoice: ({ amount, dueDate, url }: Invoice) =>
    [`Valor: *${money(amount)}*`, `Vencimento: *${day(dueDate)}*`, ...(url ? [`Boleto: ${url}`] : [])].join('\n'),
  line: 'Linha digitável, para copiar:',
  pix: 'Pix copia e cola:',
  blocked: 'Sua conexão está bloqueada. Quer um desbloqueio de confiança?\n\n*1.* Sim\n*2.* Não',
  unlocked: 'Pronto, a conexão foi liberada. Desligue o equipamento da tomada por um minuto e ligue de novo.',
  locked: 'Não consegui liberar a conexão.',
  choose: 'Responda *1* para sim ou *2* para não.',
  end: 'Se precisar de mais alguma coisa, é só escrever.',
}
const greeting = (name: string) => (name ? `Olá, ${name}!` : 'Olá!')
const reais = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' })
const money = (cents: number) => reais.format(cents / 100).replaceAll('\u00a0', ' ')
const day = (date: string) => date.split('-').reverse().join('/')

/**
 * Finds what a contact owes by their document: asks for it, tells the open invoices, and opens a blocked connection on
 * trust where the system can and the contact's number is on file. No address and no full name is told.
 *
 * @param earlier how many documents this contact looked up today in other conversations
 * @returns `session.lookups` is how many it were in this one
 */
export function askBilling(
  deps: BotDeps,
  settings: BillingSettings,
  conversation: BotConversation,
  earlier = 0,
): Promise<BotAnswer | BotFailure> {
  return answering(async () => {
    const system = billingSystem(deps, settings)
    const session = sessionOf(conversation.session)
    const { text } = conversation.message
    if (session?.step === 'unlock') return unlock(system, session, text)

    const document = documentIn(text)
    const before: Session = session ?? { step: 'document', misses: 0, lookups: 0 }
    if (!document) {
      if (!session) return answer({ ...before }, words.ask)
      // Somebody who asks something else is not told three times that it is no document.
      const misses = before.misses + 1
      return misses >= MOST_MISSES
        ? toAgent(before)
        : answer({ ...before, misses }, /\d/.test(text) ? words.invalid : words.ask)
    }
    if (earlier + before.lookups >= LOOKUPS_A_DAY) return toAgent(before)
    const after: Session = { step: 'document', misses: 0, lookups: before.lookups + 1 }
    const customer = await system.find(document)
    if (!customer) return earlier + after.lookups >= LOOKUPS_A_DAY ? toAgent(after) : answer(after, words.unknown)

    const messages = [...describe(customer)]
    const mayUnlock = customer.unlockRef && system.unlock && isOnFile(conversation.contact.number, customer.phones)
    if (mayUnlock)
      return {
        messages: [...messages, { text: words.blocked }],
        session: { ...after, step: 'unlock', ref: customer.unlockRef },
      }
    return { messages: [...messages, { text: words.end }], session: after, stop: true }
  })
}

function* describe({ name, invoices }: BilledCustomer): Generator<BotMessage> {
  const first = firstName(name)
  if (invoices.length === 0) return yield { text: words.paid(first) }
  yield { text: words.found(first, invoices.length) }
  for (const invoice of invoices) {
    yield { text: words.invoice(invoice) }
    // Each code by itself, so that a long press copies it and nothing else.
    if (invoice.line) yield* [{ text: words.line }, { text: invoice.line }]
    if (invoice.pix) yield* [{ text: words.pix }, { text: invoice.pix }]
  }
}

/** `MARIA DA SILVA` is Maria: whoever guessed a document learns no more. */
function firstName(name: string): string {
  const [word = ''] = name.trim().split(/\s/, 1)
  return /^[\p{L}'’-]{2,}$/u.test(word) ? cut(word[0]!.toUpperCase() + word.slice(1).toLowerCase(), 30) : ''
}

async function unlock(system: BillingSystem, session: Session, text: string): Promise<BotAnswer> {
  const after: Session = { step: 'document', misses: 0, lookups: session.lookups }
  const said = text.trim().toLowerCase()
  if (/^(2|n|nao|não|no)$/.test(said)) return { ...answer(after, words.end), stop: true }
  if (!/^(1|s|sim|si|yes)$/.test(said)) {
    const misses = session.misses + 1
    return misses >= MOST_MISSES ? toAgent(after) : answer({ ...session, misses }, words.choose)
  }
  const { isUnlocked } = (session.ref !== undefined && (await system.unlock?.(session.ref))) || { isUnlocked: false }
  if (!isUnlocked) return { ...toAgent(after), messages: [{ text: words.locked }, { text: words.agent }] }
  return { messages: [{ text: words.unlocked }, { text: words.end }], session: after, stop: true }
}

const answer = (session: Session, text: string): BotAnswer => ({ messages: [{ text }], session })

const toAgent = (session: Session): BotAnswer => ({
  messages: [{ text: words.agent }],
  session: { ...session, misses: 0 },
  stop: true,
  transferTo: { queueId: null },
})

function sessionOf(kept: unknown): Session | undefined {
  if (!isRecord(kept) || (kept.step !== 'document' && kept.step !== 'unlock')) return undefined
  const count = (value: unknown) => (Number.isInteger(value) && Number(value) >= 0 ? Number(value) : 0)
  return {
    step: kept.step,
    misses: count(kept.misses),
    lookups: count(kept.lookups),
    ...(typeof kept.ref === 'string' && { ref: kept.ref }),
  }
}
