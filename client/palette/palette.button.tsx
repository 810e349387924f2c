import { useLingui } from '@lingui/react/macro'
import { Search } from 'lucide-react'
import { Button } from '../ui/button.tsx'
import { Kbd } from '../ui/kbd.tsx'
import { palette } from '../kit/actions.ts'

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** Opens the command palette, and teaches its keys. */
export default function PaletteButton() {
  const { t } = useLingui()
  return (
    <Button
      variant="ghost"
      aria-keyshortcuts={isApple ? 'Meta+K' : 'Control+K'}
      aria-haspopup="dialog"
      className="gap-1.5 px-2 text-muted-foreground max-sm:hidden"
      onClick={() => palette.set(true)}
    >
      <Search />
      <span className="sr-only">{t`Buscar ou ir para…`}</span>
      <span aria-hidden="true" className="flex gap-0.5 max-lg:hidden">
        <Kbd>{isApple ? '⌘' : 'Ctrl'}</Kbd>
        <Kbd>K</Kbd>
      </span>
    </Button>
  )
}
