import { Trans } from '@lingui/react/macro'
import { Switch } from '../ui/switch.tsx'

/** For who manages all tickets: theirs only, or all of the company's. */
export default function ShowAll({ value, onChange }: { value: boolean; onChange: (value: boolean) => void }) {
  return (
    <label className="flex items-center justify-between gap-3 px-1 text-xs text-muted-foreground">
      <Trans>Mostrar todos</Trans>
      <Switch checked={value} onCheckedChange={onChange} />
    </label>
  )
}
