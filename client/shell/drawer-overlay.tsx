import { useLingui } from '@lingui/react/macro'
import { Sheet, SheetContent } from '../ui/sheet.tsx'
import { DrawerContent } from './drawer.tsx'

/** The side menu over a narrow screen. */
export default function DrawerOverlay({
  open,
  onOpenChange,
}: {
  open: boolean
  onOpenChange: (open: boolean) => void
}) {
  const { t } = useLingui()
  return (
    <Sheet open={open} onOpenChange={onOpenChange}>
      <SheetContent side="left" bare title={t`Menu`} className="w-60 bg-sidebar">
        <DrawerContent onNavigate={() => onOpenChange(false)} />
      </SheetContent>
    </Sheet>
  )
}
