import { Trans, useLingui } from '@lingui/react/macro'
import { Hourglass } from 'lucide-react'
import { whenText } from '../session/moment-text.ts'
import { useNow } from '../base/now.ts'
import { Card } from '../ui/card.tsx'
import { type NewChatsLamp, newChatsLamp } from './whatsapps.new-chats.ts'
import type { NewChatsState } from './whatsapps.queries.ts'

/** Under a connection of the list: from when on it may write to new contacts, or how near its cap is. */
export function NewChatsLine({ state }: { state: NewChatsState }) {
  const lamp = newChatsLamp(state, useNow())
  if (!lamp) return null
  return (
    <p role="status" className="flex max-w-xs items-start gap-1 text-xs text-warning-soft-foreground">
      <Hourglass aria-hidden="true" className="mt-px size-3.5 shrink-0" />
      <span>
        <Title lamp={lamp} />
        {lamp.held && (
          <span className="block text-muted-foreground">
            <Trans>Quem já escreveu continua sendo atendido.</Trans>
          </span>
        )}
      </span>
    </p>
  )
}

/** On the connection's own page: the same, with what it means and what to do. */
export function NewChatsCard({ state }: { state: NewChatsState }) {
  const lamp = newChatsLamp(state, useNow())
  if (!lamp) return null
  return (
    <Card
      role="status"
      className="flex items-start gap-3 border-transparent bg-warning-soft px-5 py-4 text-warning-soft-foreground"
    >
      <Hourglass aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
      <div className="flex flex-col gap-1 text-sm">
        <p className="font-medium">
          <Title lamp={lamp} />
        </p>
        {lamp.held && lamp.use && <Use {...lamp.use} />}
        <Cause lamp={lamp} />
        {lamp.held ? (
          <p>
            <Trans>
              Quem já escreveu a este número continua sendo atendido. Campanhas e agendamentos para quem nunca escreveu
              esperam e seguem sozinhos; não é preciso fazer nada. Até lá, não escreva a novos contatos: cada tentativa
              pode prolongar a restrição.
            </Trans>
          </p>
        ) : (
          <p>
            <Trans>
              Prefira responder a quem já escreveu a este número. Quando o limite acabar, conversas novas esperam até o
              próximo período.
            </Trans>
          </p>
        )}
      </div>
    </Card>
  )
}

function Title({ lamp: { held, use } }: { lamp: NewChatsLamp }) {
  const { t } = useLingui()
  if (held) {
    const when = whenText(held.until)
    return t`Pode escrever a novos contatos de novo ${when}`
  }
  return use && <Use {...use} />
}

function Use({ used, quota, until }: NonNullable<NewChatsLamp['use']>) {
  const { i18n, t } = useLingui()
  const [count, most] = [i18n.number(used), i18n.number(quota)]
  if (!until) return <span>{t`Conversas novas usadas: ${count} de ${most}`}</span>
  const when = whenText(until)
  return <span>{t`Conversas novas usadas: ${count} de ${most}; o período termina ${when}`}</span>
}

function Cause({ lamp: { held, cause } }: { lamp: NewChatsLamp }) {
  if (held?.by === 'cap')
    return (
      <p>
        <Trans>O limite de conversas novas que o WhatsApp dá a esta conta foi usado.</Trans>
      </p>
    )
  if (cause === 'quality')
    return (
      <p>
        <Trans>
          O WhatsApp restringiu a conta pela qualidade das mensagens: muitas vezes, pessoas que as bloqueiam ou
          denunciam.
        </Trans>
      </p>
    )
  if (cause === 'commerce')
    return (
      <p>
        <Trans>O WhatsApp restringiu a conta por um produto que as regras dele não permitem vender.</Trans>
      </p>
    )
  if (cause === 'device')
    return (
      <p>
        <Trans>
          A restrição vale para aparelhos conectados; no próprio celular talvez ainda possa escrever a novos contatos.
        </Trans>
      </p>
    )
  return null
}
