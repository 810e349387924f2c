import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { succeeds } from '../kit/row-actions.tsx'
import { ConfirmDialog } from '../ui/alert-dialog.tsx'
import { Dialog, DialogBody, DialogButtons, DialogContent, DialogForm } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { companies } from './companies.queries.ts'
import type { Company } from './companies.queries.ts'

/** Asks twice before a company goes with all that is theirs: by its name, and once more. */
export function RemoveCompanyDialog({
  company,
  onClose,
  onRemoved,
}: {
  company: Company
  onClose: () => void
  onRemoved: () => void
}) {
  const { t } = useLingui()
  const { name } = company
  const [typed, setTyped] = useState('')
  const [again, setAgain] = useState(false)
  const isSame = typed.trim() === name
  if (again)
    return (
      <ConfirmDialog
        open
        onOpenChange={onClose}
        destructive
        title={<Trans>Excluir {name} para sempre?</Trans>}
        confirmLabel={<Trans>Excluir para sempre</Trans>}
        onConfirm={() => succeeds(() => companies.remove(company.id), t`${name}: exclusão iniciada`, onRemoved)}
      >
        <p>
          <Trans>
            As conexões são desvinculadas e nada poderá ser recuperado. Não há como parar depois de começar.
          </Trans>
        </p>
      </ConfirmDialog>
    )
  return (
    <Dialog open onOpenChange={onClose}>
      <DialogContent title={<Trans>Excluir {name}?</Trans>} size="sm">
        <DialogForm onSubmit={() => isSame && setAgain(true)}>
          <DialogBody className="flex flex-col gap-4">
            <p className="text-sm">
              <Trans>
                Vão junto as conversas, os contatos, os usuários, as conexões e os arquivos desta empresa. Deseja
                realmente excluir esse registro?
              </Trans>
            </p>
            <Field label={<Trans>Para confirmar, digite o nome da empresa</Trans>}>
              <Input
                autoFocus
                autoComplete="off"
                placeholder={name}
                value={typed}
                onChange={(event) => setTyped(event.target.value)}
              />
            </Field>
          </DialogBody>
          <DialogButtons disabled={!isSame}>
            <Trans>Continuar</Trans>
          </DialogButtons>
        </DialogForm>
      </DialogContent>
    </Dialog>
  )
}
