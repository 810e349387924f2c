import { Trans, useLingui } from '@lingui/react/macro'
import { Copy, Phone } from 'lucide-react'
import { copyText } from '../base/copy-text.ts'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuTrigger,
} from '../ui/dropdown-menu.tsx'
import { toast } from '../ui/toaster.tsx'
import { useKnownContact } from './messages.known-contact.ts'
import { phoneText } from '../kit/phone-text.ts'
import { useTalk } from './messages.use-talk.ts'

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
        <TalkItem digits={digits} onWriteTo={onWriteTo} />
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

/** Asked for once the menu is open. */
function TalkItem({ digits, onWriteTo }: { digits: string; onWriteTo: (digits: string) => void }) {
  const { icon: Icon, label, run } = useTalk(digits, onWriteTo)
  return (
    <DropdownMenuItem onSelect={run}>
      <Icon />
      {label}
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
