import { Trans, useLingui } from '@lingui/react/macro'
import { ContactRound, MapPin } from 'lucide-react'
import { Button } from '../ui/button.tsx'
import { DropdownMenu, DropdownMenuContent, DropdownMenuItem, DropdownMenuTrigger } from '../ui/dropdown-menu.tsx'
import { Tooltip } from '../ui/tooltip.tsx'

/** What is sent that is neither a text nor a file. */
export type Shared = 'card' | 'place'

export function ShareItems({ onPick }: { onPick: (what: Shared) => void }) {
  return (
    <>
      <DropdownMenuItem onSelect={() => onPick('card')}>
        <ContactRound />
        <Trans>Cartão de contato</Trans>
      </DropdownMenuItem>
      <DropdownMenuItem onSelect={() => onPick('place')}>
        <MapPin />
        <Trans>Localização</Trans>
      </DropdownMenuItem>
    </>
  )
}

/** The same behind a button of its own, where there is room for one. */
export function ShareMenu({ onPick }: { onPick: (what: Shared) => void }) {
  const { t } = useLingui()
  const label = t`Enviar contato ou localização`
  return (
    <DropdownMenu>
      <Tooltip content={label}>
        <DropdownMenuTrigger asChild>
          <Button variant="ghost" size="icon" aria-label={label} className="text-muted-foreground">
            <ContactRound />
          </Button>
        </DropdownMenuTrigger>
      </Tooltip>
      <DropdownMenuContent side="top" align="start" className="w-56">
        <ShareItems onPick={onPick} />
      </DropdownMenuContent>
    </DropdownMenu>
  )
}
