import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { errorText } from '../session/error-text.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogBody, DialogContent, DialogFooter } from '../ui/dialog.tsx'
import { toast } from '../ui/toaster.tsx'
import { DryRun } from './rules.dry-run.tsx'
import { type RuleRow, rules } from './rules.queries.ts'
import { useRuleSentences } from './rules.sentences.ts'

/** Before a rule goes live: what it would have done. It is this version that goes live, or none. */
export function LiveDialog({ rule, onClose, onSaved }: { rule: RuleRow; onClose: () => void; onSaved: () => void }) {
  const { t } = useLingui()
  const { when, then } = useRuleSentences()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const { name } = rule
  const switchOn = async () => {
    setBusy(true)
    try {
      await rules.update(rule.id, { active: true, version: rule.version })
      toast.success(t`Regra ${name} ligada`)
      onSaved()
      onClose()
    } catch (failure) {
      setError(failure)
      setBusy(false)
      onSaved()
    }
  }
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title={t`Ligar ${name}?`}
        description={t`Veja o que ela teria feito. Ela age no que acontecer a partir de agora.`}
      >
        <DialogBody className="flex flex-col gap-4">
          <p className="rounded-lg bg-primary-soft px-3.5 py-3 text-sm text-primary-soft-foreground wrap-anywhere">
            {when(rule)}, {then(rule)}
          </p>
          <DryRun atOnce isWhole rule={rule} />
          {error !== null && (
            <p role="alert" className="text-sm text-destructive">
              {errorText(error)}
            </p>
          )}
        </DialogBody>
        <DialogFooter>
          <Button variant="outline" onClick={onClose}>
            <Trans>Cancelar</Trans>
          </Button>
          <Button disabled={busy} onClick={() => void switchOn()}>
            <Trans>Ligar</Trans>
          </Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  )
}
