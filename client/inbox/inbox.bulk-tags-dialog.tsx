import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { useDirectory } from '../replica/directory.ts'
import type { TicketRow } from '../tickets/tickets.rows.ts'
import { ColorTag } from '../ui/badge.tsx'
import { MultiCombobox } from '../ui/combobox.tsx'
import { Dialog, DialogBody, DialogButtons, DialogContent, DialogForm } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'

/** Which tags several tickets get, and which they lose. */
export default function TagsDialog({
  tickets,
  onSubmit,
  onClose,
}: {
  tickets: readonly TicketRow[]
  onSubmit: (tags: { add: number[]; remove: number[] }) => Promise<void>
  onClose: () => void
}) {
  const { t } = useLingui()
  const { tags } = useDirectory()
  const [add, setAdd] = useState<readonly number[]>([])
  const [remove, setRemove] = useState<readonly number[]>([])
  const count = tickets.length
  const had = new Set(tickets.flatMap(({ tagIds }) => tagIds))
  const options = (offered: typeof tags.list) =>
    offered.map(({ id, name, color }) => ({
      id: String(id),
      label: name,
      content: <ColorTag color={color}>{name}</ColorTag>,
    }))
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title={plural(count, { one: 'Etiquetas de # atendimento', other: 'Etiquetas de # atendimentos' })}
        size="sm"
      >
        <DialogForm onSubmit={() => void onSubmit({ add: [...add], remove: [...remove] })}>
          <DialogBody className="flex flex-col gap-4">
            <Field label={t`Adicionar`}>
              <MultiCombobox
                autoFocus
                placeholder={t`Nenhuma`}
                options={options(tags.list.filter(({ id }) => !remove.includes(id)))}
                values={add.map(String)}
                onChange={(ids) => setAdd(ids.map(Number))}
              />
            </Field>
            {had.size > 0 && (
              <Field label={t`Remover`}>
                <MultiCombobox
                  placeholder={t`Nenhuma`}
                  options={options(tags.list.filter(({ id }) => had.has(id) && !add.includes(id)))}
                  values={remove.map(String)}
                  onChange={(ids) => setRemove(ids.map(Number))}
                />
              </Field>
            )}
          </DialogBody>
          <DialogButtons disabled={add.length + remove.length === 0}>
            <Trans>Aplicar</Trans>
          </DialogButtons>
        </DialogForm>
      </DialogContent>
    </Dialog>
  )
}
