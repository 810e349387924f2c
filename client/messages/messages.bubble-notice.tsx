import { Trans, useLingui } from '@lingui/react/macro'
import {
  BarChart3,
  CalendarDays,
  CircleDollarSign,
  ExternalLink,
  Eye,
  type LucideIcon,
  Megaphone,
  ShoppingBag,
  ShoppingCart,
  Smartphone,
  Users,
} from 'lucide-react'
import type { MessageAbout, NoticeKind } from '../../schema/messages/messages.content.ts'
import { CopyButton } from '../kit/copy-button.tsx'
import { cn } from '../ui/cn.ts'
import type { MessageRow } from './messages.rows.ts'

const icons: Record<NoticeKind, LucideIcon> = {
  ad: Megaphone,
  pix: CircleDollarSign,
  order: ShoppingCart,
  product: ShoppingBag,
  poll: BarChart3,
  event: CalendarDays,
  group_invite: Users,
  view_once: Eye,
  phone_only: Smartphone,
}

/** What each kind of message is called that is no text of a person's. */
export function useNoticeWords(): Record<NoticeKind, string> {
  const { t } = useLingui()
  return {
    ad: t`Chegou por um anúncio`,
    pix: t`Chave Pix`,
    order: t`Pedido`,
    product: t`Produto`,
    poll: t`Enquete`,
    event: t`Evento`,
    group_invite: t`Convite para um grupo`,
    view_once: t`Foto ou vídeo de visualização única`,
    phone_only: t`Mensagem que só o telefone mostra`,
  }
}

/** What the phone can do with it and this screen cannot. */
function OnPhone({ kind }: { kind: NoticeKind }) {
  if (kind === 'view_once') return <Trans>Só no telefone. Se precisar, peça que enviem de outro jeito.</Trans>
  if (kind === 'phone_only') return <Trans>Abra a conversa no telefone para ver.</Trans>
  if (kind === 'poll' || kind === 'event') return <Trans>Para responder, use o telefone.</Trans>
  return null
}

/** Says what was sent, above the words of the thing itself. */
export function Notice({ row, kind }: { row: MessageRow; kind: NoticeKind }) {
  const words = useNoticeWords()
  const Icon = icons[kind]
  // The card of the ad says so itself.
  if (kind === 'ad' && row.about?.is === 'ad') return null
  return (
    <div className="flex items-start gap-2 py-0.5">
      <Icon aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-primary-soft-foreground" />
      <p className="min-w-0">
        <span className="block font-medium">{words[kind]}</span>
        <span className="block text-xs text-muted-foreground empty:hidden">
          <OnPhone kind={kind} />
        </span>
        {/* A voice reads on without a line’s end. */}
        <span className="sr-only select-none">. </span>
      </p>
    </div>
  )
}

const card = 'mb-1 w-full min-w-32 rounded-md bg-foreground/5 px-2 py-1.5 text-left'

/** What the message is said to, or where its writer came from. */
export function About({ about }: { about: MessageAbout }) {
  const { t } = useLingui()
  if (about.is === 'pix') return <PixKey pix={about} />
  if (about.is === 'ad')
    return (
      <div className={card}>
        <span className="flex items-center gap-1.5 text-xs font-semibold text-primary-soft-foreground">
          <Megaphone aria-hidden="true" className="size-3.5 shrink-0" />
          <Trans>Chegou por um anúncio</Trans>
        </span>
        <span className="mt-0.5 block text-[0.8125rem] font-medium wrap-anywhere">{about.title}</span>
        {about.text && <span className="line-clamp-3 text-xs wrap-anywhere text-foreground/75">{about.text}</span>}
        {about.url && (
          <a
            href={about.url}
            target="_blank"
            rel="noopener noreferrer"
            className="focus-ring mt-1 inline-flex items-center gap-1 rounded-sm text-xs font-medium hover:underline touch:min-h-9"
          >
            <Trans>Ver o anúncio</Trans>
            <ExternalLink aria-hidden="true" className="size-3" />
          </a>
        )}
      </div>
    )
  if (about.is === 'template') return null
  return (
    <div className={cn(card, 'border-l-[3px] border-primary')}>
      <span className="block truncate text-xs font-semibold text-primary-soft-foreground">
        {about.is === 'status' ? t`Resposta ao seu status` : t`Mensagem anterior`}
      </span>
      {about.text && <span className="line-clamp-2 text-xs wrap-anywhere text-muted-foreground">{about.text}</span>}
    </div>
  )
}

/** What a message by a template offers its reader to press. */
export function TemplateButtons({ buttons }: { buttons: readonly string[] }) {
  const { t } = useLingui()
  if (buttons.length === 0) return null
  return (
    <ul aria-label={t`Botões da mensagem`} className="mt-1.5 flex flex-wrap gap-1">
      {buttons.map((text, i) => (
        <li
          key={i}
          className="rounded-md border border-foreground/15 px-2 py-0.5 text-xs font-medium text-primary-soft-foreground"
        >
          {text}
        </li>
      ))}
    </ul>
  )
}

function PixKey({ pix: { merchant, keyType, key } }: { pix: Extract<MessageAbout, { is: 'pix' }> }) {
  const { t } = useLingui()
  const kinds: Record<string, string> = {
    PHONE: t`Telefone`,
    EMAIL: t`E-mail`,
    CPF: 'CPF',
    CNPJ: 'CNPJ',
    EVP: t`Chave aleatória`,
    CODE: t`Pix copia e cola`,
  }
  return (
    <div className={cn(card, 'mt-1 w-72 max-w-full')}>
      {merchant && <span className="block text-[0.8125rem] font-medium wrap-anywhere">{merchant}</span>}
      <span className="block text-xs text-foreground/75">{kinds[keyType] ?? keyType}</span>
      <span className="mt-0.5 line-clamp-3 text-[0.8125rem] break-all">{key}</span>
      <CopyButton text={key} className="mt-1.5 h-6.5 touch:h-9">
        <Trans>Copiar a chave</Trans>
      </CopyButton>
    </div>
  )
}
