import { Trans, useLingui } from '@lingui/react/macro'
import { LocateFixed, Plus, X } from 'lucide-react'
import { useState } from 'react'
import { isMasked } from '../../schema/contacts/contacts.masking.ts'
import type { Card } from '../../schema/messages/messages.cards.ts'
import type { Place } from '../../schema/messages/messages.content.ts'
import { MOST_CARDS, sharedBounds } from '../../schema/inputs.ts'
import { pointIn } from '../../schema/messages/messages.place.ts'
import { ContactPicker } from '../contacts/contacts.picker.tsx'
import type { FoundContact } from '../contacts/contacts.rows.ts'
import { useContactSearch } from '../contacts/contacts.search.ts'
import { useContactLabel } from '../kit/contact-label.ts'
import { phoneText } from '../kit/phone-text.ts'
import { useCallingCode } from '../session/company-country.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogBody, DialogButtons, DialogContent, DialogForm } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { numberTyped } from './messages.share.ts'
import type { Shared } from './messages.share-menu.tsx'

/** Sends cards of people, or a place on the map, to the contact of a conversation. */
export default function ShareDialog({
  what,
  onSend,
  onClose,
}: {
  what: Shared
  onSend: (shared: { cards: Card[] } | { place: Place }) => void
  onClose: () => void
}) {
  return what === 'card' ? (
    <CardDialog onSend={(cards) => onSend({ cards })} onClose={onClose} />
  ) : (
    <PlaceDialog onSend={(place) => onSend({ place })} onClose={onClose} />
  )
}

/** A number has one card. */
const withCard = (cards: readonly Card[], card: Card): Card[] => [
  ...cards.filter(({ number }) => number !== card.number),
  card,
]

function CardDialog({ onSend, onClose }: { onSend: (cards: Card[]) => void; onClose: () => void }) {
  const { t } = useLingui()
  const labelOf = useContactLabel()
  const callingCode = useCallingCode()
  const [query, setQuery] = useState('')
  const { found, searching } = useContactSearch(query)
  const [cards, setCards] = useState<readonly Card[]>([])
  const [typed, setTyped] = useState({ name: '', number: '' })
  const [problem, setProblem] = useState<{ at: 'contact' | 'name' | 'number'; text: string } | null>(null)
  const isFull = cards.length >= MOST_CARDS

  const add = (card: Card) => {
    setProblem(null)
    setCards((now) => withCard(now, card))
  }
  const pick = (contact: FoundContact | string | null) => {
    if (contact === null || typeof contact === 'string') return
    const name = labelOf(contact)
    const { number } = contact
    if (number && isMasked(number))
      return setProblem({
        ...{ at: 'contact', text: t`O seu papel oculta os números: o cartão de ${name} não pode ser enviado por você` },
      })
    if (!number || !/^\d{8,15}$/.test(number))
      return setProblem({
        ...{ at: 'contact', text: t`De ${name} não se conhece o número, e um cartão sem número não serve a ninguém` },
      })
    add({ name: name.slice(0, sharedBounds.cardName), number })
  }
  /** What is typed as a card; null where something of it is missing, which is then said. */
  const typedCard = (): Card | null => {
    const name = typed.name.trim()
    const number = numberTyped(typed.number, callingCode)
    if (!name) setProblem({ at: 'name', text: t`Obrigatório` })
    else if (number === undefined) setProblem({ at: 'number', text: t`Use DDD e número, ou + e o código do país` })
    else return { name, number }
    return null
  }
  const isTyping = typed.name.trim() !== '' || typed.number.trim() !== ''
  const addTyped = () => {
    const card = typedCard()
    if (!card) return
    add(card)
    setTyped({ name: '', number: '' })
  }
  const send = () => {
    // What stands in the fields is meant, too.
    const last = isTyping && !isFull ? typedCard() : undefined
    if (last === null) return
    const all = last ? withCard(cards, last) : [...cards]
    if (all.length === 0) return setProblem({ at: 'contact', text: t`Escolha um contato ou escreva nome e número` })
    onSend(all)
  }
  const errorAt = (at: NonNullable<typeof problem>['at']) => (problem?.at === at ? problem.text : undefined)

  return (
    <Dialog open onOpenChange={onClose}>
      <DialogContent
        title={<Trans>Enviar cartão de contato</Trans>}
        description={<Trans>Quem recebe vê o nome e o número, e pode salvá-los.</Trans>}
        size="sm"
      >
        <DialogForm
          onSubmit={(event) => {
            event.preventDefault()
            send()
          }}
        >
          <DialogBody className="flex flex-col gap-4">
            {cards.length > 0 && (
              <ul aria-label={t`Cartões escolhidos`} className="flex flex-col gap-1.5">
                {cards.map((card) => (
                  <li key={card.number} className="flex items-center gap-2.5 rounded-md bg-muted/60 py-1.5 pr-1 pl-2.5">
                    <Avatar name={card.name} />
                    <span className="min-w-0 flex-1">
                      <span className="block truncate text-[0.8125rem] font-medium">{card.name}</span>
                      <span className="block text-xs text-muted-foreground tabular-nums">{phoneText(card.number)}</span>
                    </span>
                    <Button
                      variant="ghost"
                      size="icon-sm"
                      aria-label={t`Retirar ${card.name}`}
                      onClick={() => setCards((now) => now.filter((one) => one !== card))}
                      className="text-muted-foreground"
                    >
                      <X />
                    </Button>
                  </li>
                ))}
              </ul>
            )}
            <ContactPicker
              autoFocus
              label={t`Contato da empresa`}
              contact={null}
              onPick={pick}
              query={query}
              onSearch={setQuery}
              found={found}
              searching={searching}
              disabled={isFull}
              error={errorAt('contact')}
            />
            <fieldset className="flex flex-col gap-3 border-t pt-3">
              <legend className="sr-only">
                <Trans>Outra pessoa</Trans>
              </legend>
              <p aria-hidden="true" className="text-xs text-muted-foreground">
                <Trans>Ou outra pessoa, que não está nos contatos</Trans>
              </p>
              <div className="grid gap-3 sm:grid-cols-2">
                <Field label={t`Nome`} error={errorAt('name')}>
                  <Input
                    value={typed.name}
                    maxLength={sharedBounds.cardName}
                    autoComplete="off"
                    disabled={isFull}
                    onChange={(event) => setTyped({ ...typed, name: event.target.value })}
                  />
                </Field>
                <Field label={t`Número`} error={errorAt('number')}>
                  <Input
                    value={typed.number}
                    inputMode="tel"
                    autoComplete="off"
                    disabled={isFull}
                    onChange={(event) => setTyped({ ...typed, number: event.target.value })}
                  />
                </Field>
              </div>
              {isTyping && !isFull && (
                <Button variant="outline" size="sm" className="self-start" onClick={addTyped}>
                  <Plus />
                  <Trans>Mais um cartão</Trans>
                </Button>
              )}
            </fieldset>
          </DialogBody>
          <DialogButtons>
            <Trans>Enviar</Trans>
          </DialogButtons>
        </DialogForm>
      </DialogContent>
    </Dialog>
  )
}

/** A device that has no idea is not waited for, ms. */
const locateWithinMs = 15_000

function PlaceDialog({ onSend, onClose }: { onSend: (place: Place) => void; onClose: () => void }) {
  const { t } = useLingui()
  const [point, setPoint] = useState('')
  const [name, setName] = useState('')
  const [problem, setProblem] = useState<string>()
  const [isLocating, setIsLocating] = useState(false)
  const locate = () => {
    setIsLocating(true)
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        setPoint(`${coords.latitude.toFixed(6)}, ${coords.longitude.toFixed(6)}`)
        setProblem(undefined)
        setIsLocating(false)
      },
      (error) => {
        setProblem(
          error.code === error.PERMISSION_DENIED
            ? t`O navegador não tem permissão para saber onde está`
            : t`Este aparelho não soube dizer onde está`,
        )
        setIsLocating(false)
      },
      { enableHighAccuracy: true, timeout: locateWithinMs },
    )
  }
  const send = () => {
    const found = pointIn(point)
    if (!found) return setProblem(t`Cole o link completo do mapa, ou latitude e longitude, como -8.0578, -34.8829`)
    onSend({ ...found, name: name.trim() })
  }
  return (
    <Dialog open onOpenChange={onClose}>
      <DialogContent title={<Trans>Enviar localização</Trans>} size="sm">
        <DialogForm
          onSubmit={(event) => {
            event.preventDefault()
            send()
          }}
        >
          <DialogBody className="flex flex-col gap-4">
            <Field
              label={t`Lugar no mapa`}
              required
              error={problem}
              hint={t`O link completo do mapa, ou latitude e longitude`}
            >
              <Input
                autoFocus
                value={point}
                autoComplete="off"
                placeholder="-8.0578, -34.8829"
                onChange={(event) => {
                  setPoint(event.target.value)
                  setProblem(undefined)
                }}
              />
            </Field>
            {'geolocation' in navigator && (
              <Button variant="outline" size="sm" className="self-start" disabled={isLocating} onClick={locate}>
                <LocateFixed />
                {isLocating ? <Trans>Procurando…</Trans> : <Trans>Usar o lugar deste aparelho</Trans>}
              </Button>
            )}
            <Field label={t`Nome do lugar`} hint={t`Opcional: aparece sob o mapa`}>
              <Input
                value={name}
                maxLength={sharedBounds.placeName}
                autoComplete="off"
                placeholder={t`Padaria do centro`}
                onChange={(event) => setName(event.target.value)}
              />
            </Field>
          </DialogBody>
          <DialogButtons>
            <Trans>Enviar</Trans>
          </DialogButtons>
        </DialogForm>
      </DialogContent>
    </Dialog>
  )
}
