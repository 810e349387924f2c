/**
 * What official numbers send: templates, menus, cards and payments. Phones draw them; here all of their words are read, each
 * button with where it leads. Pure.
 */
import type { MessageAbout } from '../../schema/messages/messages.content.ts'
import { TEXT_LENGTH } from '../../schema/messages/messages.text.ts'
import { clip } from '../../schema/texts.ts'
import type { proto } from './baileys.ts'

/** Bounds of what strangers choose: phones show ten cards, ten buttons and ten rows. */
const MOST_CARDS = 20
const MOST_ROWS = 100
const PARAMS_LENGTH = 65_536
const PIX_LENGTH = 1_024

export type PixKey = Extract<MessageAbout, { is: 'pix' }>

export interface Official {
  text: string
  /** The message whose file stands above the words. */
  header: proto.IMessage | null
  pix: PixKey | null
  /** Words and answers of a shop's order. */
  isOrder: boolean
}

type Line = string | null | undefined

const lines = (...all: (Line | Line[])[]): string =>
  clip(
    all
      .flat()
      .map((line) => clip(line?.trim() ?? '', TEXT_LENGTH))
      .filter(Boolean)
      .join('\n'),
    TEXT_LENGTH,
  )

/** A button as a line: its words, and the link, number or code that is behind them. */
const button = (words: Line, leadsTo?: Line): string | null => {
  const said = [words, leadsTo].map((part) => part?.trim()).filter(Boolean)
  return said.length > 0 ? `▸ ${said.join(': ')}` : null
}

/** The words and the file of a template, menu or card; null for all other messages. */
export function officialOf(m: proto.IMessage): Official | null {
  const plain = (text: string, header: proto.IMessage | null = null): Official => ({
    ...{ text, header, pix: null, isOrder: false },
  })
  if (m.templateMessage) {
    const { hydratedTemplate, hydratedFourRowTemplate, fourRowTemplate, interactiveMessageTemplate } = m.templateMessage
    const hydrated = hydratedTemplate ?? hydratedFourRowTemplate
    if (hydrated) return plain(hydratedWords(hydrated), headerOf(hydrated))
    if (fourRowTemplate)
      return plain(
        lines(
          structuredWords(fourRowTemplate.highlyStructuredMessage),
          structuredWords(fourRowTemplate.content),
          structuredWords(fourRowTemplate.footer),
          (fourRowTemplate.buttons ?? [])
            .slice(0, MOST_ROWS)
            .map(({ quickReplyButton: reply, urlButton: link, callButton: call }) =>
              button(
                structuredWords((reply ?? link ?? call)?.displayText),
                structuredWords(link?.url) || structuredWords(call?.phoneNumber),
              ),
            ),
        ),
        headerOf(fourRowTemplate),
      )
    return interactiveMessageTemplate ? interactive(interactiveMessageTemplate) : plain('')
  }
  if (m.interactiveMessage) return interactive(m.interactiveMessage)
  if (m.buttonsMessage) {
    const { text, contentText, footerText, buttons } = m.buttonsMessage
    const own = (buttons ?? []).slice(0, MOST_ROWS).map(({ buttonText }) => button(buttonText?.displayText))
    return plain(lines(text, contentText, footerText, own), headerOf(m.buttonsMessage))
  }
  if (m.listMessage) {
    const { title, description, footerText, sections } = m.listMessage
    const rows = (sections ?? [])
      .slice(0, MOST_ROWS)
      .flatMap((section) => [section.title, ...(section.rows ?? []).map((row) => button(row.title, row.description))])
      .slice(0, MOST_ROWS)
    return plain(lines(title, description, footerText, rows))
  }
  if (m.highlyStructuredMessage) {
    const { hydratedHsm } = m.highlyStructuredMessage
    const inner = hydratedHsm && officialOf({ templateMessage: hydratedHsm })
    return inner ?? plain(structuredWords(m.highlyStructuredMessage))
  }
  return null
}

function hydratedWords(template: proto.Message.TemplateMessage.IHydratedFourRowTemplate): string {
  const { hydratedTitleText, hydratedContentText, hydratedFooterText, hydratedButtons } = template
  return lines(
    hydratedTitleText,
    hydratedContentText,
    hydratedFooterText,
    (hydratedButtons ?? [])
      .slice(0, MOST_ROWS)
      .map(({ quickReplyButton, urlButton, callButton }) =>
        button((quickReplyButton ?? urlButton ?? callButton)?.displayText, urlButton?.url ?? callButton?.phoneNumber),
      ),
  )
}

/** Its text was never filled in by who sent it: what it would have been filled with is all that there is. */
const structuredWords = (structured: proto.Message.IHighlyStructuredMessage | null | undefined): string =>
  structured?.hydratedHsm?.hydratedTemplate?.hydratedContentText ??
  lines((structured?.params ?? []).slice(0, MOST_ROWS))

type Headed = Pick<proto.IMessage, 'documentMessage' | 'imageMessage' | 'videoMessage' | 'locationMessage'>

function headerOf({ documentMessage, imageMessage, videoMessage }: Headed): proto.IMessage | null {
  if (imageMessage) return { imageMessage }
  if (videoMessage) return { videoMessage }
  return documentMessage ? { documentMessage } : null
}

function interactive(message: proto.Message.IInteractiveMessage, isCard = false): Official {
  const { header, body, footer, nativeFlowMessage, carouselMessage } = message
  const flows = (nativeFlowMessage?.buttons ?? []).slice(0, MOST_ROWS).map(nativeFlow)
  const cards = isCard ? [] : (carouselMessage?.cards ?? []).slice(0, MOST_CARDS).map((card) => interactive(card, true))
  const product = header?.productMessage?.product
  return {
    text: lines(
      header?.title,
      header?.subtitle,
      product?.title,
      body?.text,
      footer?.text,
      flows.flatMap(({ words }) => words),
      cards.map(({ text }) => text),
    ),
    header: (header && headerOf(header)) ?? cards.find((card) => card.header)?.header ?? null,
    pix: flows.find(({ pix }) => pix)?.pix ?? null,
    isOrder: flows.some(({ isOrder }) => isOrder),
  }
}

interface Flow {
  words: Line[]
  pix: PixKey | null
  isOrder: boolean
}

/** What a button of an official number carries: JSON of whoever sent it, of which nothing is taken for granted. */
function nativeFlow({
  name,
  buttonParamsJson,
}: proto.Message.InteractiveMessage.NativeFlowMessage.INativeFlowButton): Flow {
  const given = parsed(buttonParamsJson)
  const said = (key: string) => textIn(given, key)
  const simple = (leadsTo?: Line): Flow => ({
    words: [button(said('display_text') ?? said('title'), leadsTo)],
    pix: null,
    isOrder: false,
  })
  switch (name) {
    case 'cta_url':
      return simple(said('url') ?? said('merchant_url'))
    case 'cta_call':
      return simple(said('phone_number'))
    case 'cta_copy':
      return simple(said('copy_code'))
    case 'single_select': {
      const rows = listIn(given, 'sections')
        .flatMap((section) => [
          textIn(section, 'title'),
          ...listIn(section, 'rows').map((row) => button(textIn(row, 'title'), textIn(row, 'description'))),
        ])
        .slice(0, MOST_ROWS)
      return { words: [said('title'), ...rows], pix: null, isOrder: false }
    }
    case 'payment_info':
    case 'review_and_pay':
    case 'order_details':
    case 'order_status': {
      const order = objectIn(given, 'order')
      const items = listIn(order, 'items').map((item) => {
        const quantity = numberIn(item, 'quantity')
        return lines([quantity === null ? null : `${quantity} ×`, textIn(item, 'name'), money(given, item['amount'])])
          .replaceAll('\n', ' ')
          .trim()
      })
      const pix = listIn(given, 'payment_settings').reduce<PixKey | null>(
        (found, setting) => found ?? pixIn(setting),
        null,
      )
      const total = money(given, given['total_amount'])
      return {
        words: [...items, textIn(order, 'description'), total && `= ${total}`, pix?.merchant, pix?.key],
        pix,
        isOrder: name !== 'payment_info',
      }
    }
    default:
      return simple()
  }
}

/** A key to pay to, or a code that pays one bill. */
function pixIn(setting: Given): PixKey | null {
  const fixed = objectIn(setting, 'pix_static_code')
  const bill = objectIn(setting, 'pix_dynamic_code')
  const key = textIn(fixed, 'key') ?? textIn(bill, 'code') ?? textIn(bill, 'key')
  if (!key) return null
  return {
    is: 'pix',
    merchant: clip(textIn(fixed, 'merchant_name') ?? textIn(bill, 'merchant_name') ?? '', PIX_LENGTH),
    keyType: clip(textIn(fixed, 'key_type') ?? (textIn(bill, 'code') ? 'CODE' : (textIn(bill, 'key_type') ?? '')), 32),
    key: clip(key, PIX_LENGTH),
  }
}

type Given = Record<string, unknown>

const isObject = (value: unknown): value is Given =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function parsed(json: string | null | undefined): Given {
  if (!json || json.length > PARAMS_LENGTH) return {}
  try {
    const value: unknown = JSON.parse(json)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

const textIn = (given: Given, key: string): string | null => {
  const value = given[key]
  return typeof value === 'string' && value.trim() ? value : null
}
const numberIn = (given: Given, key: string): number | null => {
  const value = given[key]
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}
const objectIn = (given: Given, key: string): Given => {
  const value = given[key]
  return isObject(value) ? value : {}
}
const listIn = (given: Given, key: string): Given[] => {
  const value = given[key]
  return Array.isArray(value) ? value.slice(0, MOST_ROWS).filter(isObject) : []
}

/** `{"value": 4500, "offset": 100}` of an order in BRL is `BRL 45.00`. */
function money(order: Given, amount: unknown): string | null {
  if (!isObject(amount)) return null
  const value = numberIn(amount, 'value')
  if (value === null) return null
  return amountText(value / (numberIn(amount, 'offset') || 100), textIn(order, 'currency'))
}

/** An amount with its currency, as no language writes it differently. */
export const amountText = (amount: number, currency: string | null | undefined): string =>
  [clip(currency ?? '', 3), amount.toFixed(2)].filter(Boolean).join(' ')
