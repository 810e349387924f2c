import { Trans, useLingui } from '@lingui/react/macro'
import { Copy, MessageSquarePlus, MessageSquareText, Phone } from 'lucide-react'
import { copyText } from '../app/copy-text.ts'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuTrigger,
} from '../ui/dropdown-menu.tsx'
import { toast } from '../ui/toaster.tsx'
import { useKnownContact } from './messages.known-contact.ts'
import { phoneText } from './messages.parts.ts'
import { useServed } from './messages.served.ts'
import { useTicketActions } from '../tickets/tickets.use-actions.tsx'

/** A telephone number in a text, and what can be done with it. */
export function PhoneMenu({
  text,
  digits,
  onWriteTo,
}: {
  text: string
  digits: string
  onWriteTo: (digits: string) => void
}) {
  const { t } = useLingui()
  const copy = async () => {
    if (await copyText(`+${digits}`)) toast.success(t`Número copiado`)
    else toast.error(t`O navegador não permitiu copiar`)
  }
  return (
    <DropdownMenu>
      <DropdownMenuTrigger
        title={t`Ações para este número`}
        className="focus-ring inline rounded-sm text-primary-soft-foreground underline decoration-dotted underline-offset-2 hover:decoration-solid"
      >
        {text}
      </DropdownMenuTrigger>
      <DropdownMenuContent align="start" aria-label={phoneText(digits)}>
        <Owner digits={digits} />
        <WriteItem digits={digits} onWriteTo={onWriteTo} />
        <DropdownMenuItem onSelect={() => location.assign(`tel:+${digits}`)}>
          <Phone />
          <Trans>Ligar</Trans>
        </DropdownMenuItem>
        <DropdownMenuItem onSelect={() => void copy()}>
          <Copy />
          <Trans>Copiar número</Trans>
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  )
}

/** Who is being served already is gone to. */
function WriteItem({ digits, onWriteTo }: { digits: string; onWriteTo: (digits: string) => void }) {
  const served = useServed(digits)
  const actions = useTicketActions()
  return served ? (
    <DropdownMenuItem onSelect={() => actions.open(served)}>
      <MessageSquareText />
      <Trans>Abrir</Trans>
    </DropdownMenuItem>
  ) : (
    <DropdownMenuItem onSelect={() => onWriteTo(digits)}>
      <MessageSquarePlus />
      <Trans>Conversar</Trans>
    </DropdownMenuItem>
  )
}

/** Whose it is; looked up once the menu is open. */
function Owner({ digits }: { digits: string }) {
  const known = useKnownContact(digits, 0)
  return (
    <DropdownMenuLabel>
      <span className="block tabular-nums">{phoneText(digits)}</span>
      {known && <span className="block font-normal">{known}</span>}
    </DropdownMenuLabel>
  )
}
