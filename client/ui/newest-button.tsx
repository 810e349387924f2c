import { Plural, Trans } from '@lingui/react/macro'
import { ArrowDown } from 'lucide-react'
import { Button } from './button.tsx'

/** Over the end of a conversation that was scrolled up: back to the newest message, and how many came meanwhile. */
export function NewestButton({ newCount, onClick }: { newCount: number; onClick: () => void }) {
  return (
    <Button
      variant="outline"
      size="sm"
      onClick={onClick}
      className="absolute right-4 bottom-3 rounded-full shadow-overlay animate-in fade-in-0 slide-in-from-bottom-2 duration-150"
    >
      <ArrowDown />
      {newCount > 0 ? (
        <Plural value={newCount} one="# nova mensagem" other="# novas mensagens" />
      ) : (
        <Trans>Mais recentes</Trans>
      )}
    </Button>
  )
}
