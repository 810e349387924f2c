import { useLingui } from '@lingui/react/macro'
import { Dialog, DialogBody, DialogContent } from '../ui/dialog.tsx'
import { Kbd } from '../ui/kbd.tsx'
import { type ListedShortcut, shortcutsSheet, useRowShortcuts, useShortcuts } from '../base/shortcuts.ts'

/** Lists the shortcuts that work at this moment. */
export default function ShortcutsDialog() {
  const { t } = useLingui()
  const anywhere = t`Em qualquer tela`
  // These two work while one writes, too.
  const always: ListedShortcut[] = [
    { keys: 'Ctrl K', label: t`Buscar ou ir para…` },
    { keys: 'Esc', label: t`Deixar o campo em que se escreve` },
  ]
  const groups = new Map([[anywhere, new Map(always.map((one) => [one.keys, one]))]])
  for (const shortcut of [...useShortcuts(), ...useRowShortcuts()]) {
    const name = shortcut.group ?? anywhere
    const group = groups.get(name) ?? new Map<string, ListedShortcut>()
    groups.set(name, group)
    // The latest registered is the one that runs.
    group.set(shortcut.keys, shortcut)
  }
  return (
    <Dialog open onOpenChange={(open) => shortcutsSheet.set(open)}>
      <DialogContent title={t`Atalhos do teclado`} size="lg">
        <DialogBody className="sm:columns-2 sm:gap-x-8" tabIndex={0}>
          {[...groups].map(([name, shortcuts]) => (
            <section key={name} className="mb-4 break-inside-avoid">
              <h3 className="pb-1 text-xs font-medium text-muted-foreground">{name}</h3>
              <dl className="divide-y text-sm">
                {[...shortcuts.values()].map(({ keys, label }) => (
                  <div key={keys} className="flex items-center justify-between gap-4 py-1.5">
                    <dt>{label}</dt>
                    <dd className="flex shrink-0 gap-1">
                      <Keys keys={keys} />
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </DialogBody>
      </DialogContent>
    </Dialog>
  )
}

/** The keys of a shortcut as they stand on the keyboard. */
export function Keys({ keys }: { keys: string }) {
  return keys.split(' ').map((key, index) => <Kbd key={index}>{key.length === 1 ? key.toUpperCase() : key}</Kbd>)
}
