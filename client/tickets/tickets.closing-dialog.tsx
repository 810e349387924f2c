import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useRef, useState } from 'react'
import type { FieldPatch } from '../../schema/custom-fields/custom-fields.table.ts'
import { type FieldFault, missingOnClose } from '../../schema/custom-fields/custom-fields.values.ts'
import { contactDetails } from '../contacts/contacts.rows.ts'
import { FieldInput } from '../custom-fields/custom-fields.input.tsx'
import type { FieldRow } from '../custom-fields/custom-fields.rows.ts'
import { useFieldWords } from '../custom-fields/custom-fields.words.ts'
import { useRows } from '../replica/live-rows.ts'
import { Dialog, DialogBody, DialogButtons, DialogContent, DialogForm } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import type { TicketRow } from './tickets.rows.ts'
import { useTicketActions } from './tickets.use-actions.tsx'
import { useContactName } from './tickets.words.ts'

/** What is missing of a ticket before it is closed. Where nothing is, it is closed without a question. */
export default function ClosingDialog({
  ticket,
  fields,
  onClose,
}: {
  ticket: TicketRow
  fields: readonly FieldRow[]
  onClose: () => void
}) {
  const { rows: contacts, error } = useRows(contactDetails(ticket.contactId))
  const actions = useTicketActions()
  const [asked, setAsked] = useState<readonly FieldRow[] | null>(null)
  const isKnown = contacts !== undefined || error !== null
  const done = useRef(false)
  useEffect(() => {
    // Asked once: what somebody fills in beside it is not taken from under the keyboard.
    if (!isKnown || done.current) return
    done.current = true
    const missing = missingOnClose(fields, ticket, contacts?.[0])
    if (missing.length > 0) return setAsked(missing)
    onClose()
    void actions.close(ticket)
  }, [isKnown, contacts, fields, ticket, actions, onClose])
  return asked && <Questions ticket={ticket} fields={asked} onClose={onClose} />
}

function Questions({
  ticket,
  fields,
  onClose,
}: {
  ticket: TicketRow
  fields: readonly FieldRow[]
  onClose: () => void
}) {
  const { t } = useLingui()
  const words = useFieldWords()
  const nameOf = useContactName()
  const actions = useTicketActions()
  const [values, setValues] = useState<FieldPatch>({})
  const [faults, setFaults] = useState<Record<number, FieldFault | null>>({})
  const [tried, setTried] = useState(false)
  const body = useRef<HTMLDivElement>(null)
  const isEmpty = ({ id }: FieldRow) => (values[id] ?? null) === null
  const isWrong = (field: FieldRow) => isEmpty(field) || Boolean(faults[field.id])
  const valuesOn = (entity: FieldRow['entity']): FieldPatch =>
    Object.fromEntries(fields.filter((field) => field.entity === entity).map(({ id }) => [id, values[id] ?? null]))
  const submit = () => {
    const wrong = fields.findIndex(isWrong)
    if (wrong >= 0) {
      setTried(true)
      body.current
        ?.querySelectorAll<HTMLElement>('[data-asked]')
        [wrong]?.querySelector<HTMLElement>('input, button')
        ?.focus()
      return
    }
    const [own, ofContact] = [valuesOn('ticket'), valuesOn('contact')]
    onClose()
    void actions.close(ticket, {
      ...(Object.keys(own).length > 0 && { fields: own }),
      ...(Object.keys(ofContact).length > 0 && { contactFields: ofContact }),
    })
  }
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title={t`Antes de resolver`}
        description={<Trans>Preencha o que falta do atendimento de {nameOf(ticket)}.</Trans>}
        size="sm"
      >
        <DialogForm onSubmit={submit}>
          <DialogBody className="flex flex-col gap-4" ref={body}>
            {fields.map((field, at) => (
              <div key={field.id} data-asked="">
                <Field
                  label={field.name}
                  required
                  hint={field.help || undefined}
                  error={faults[field.id] ? words.faults[faults[field.id]!] : tried && isEmpty(field) && t`Obrigatório`}
                >
                  <FieldInput
                    field={field}
                    value={values[field.id] ?? null}
                    onChange={(value) => setValues((all) => ({ ...all, [field.id]: value }))}
                    onFault={(fault) => setFaults((all) => ({ ...all, [field.id]: fault }))}
                    onTyped
                    autoFocus={at === 0}
                  />
                </Field>
              </div>
            ))}
          </DialogBody>
          <DialogButtons>
            <Trans>Resolver</Trans>
          </DialogButtons>
        </DialogForm>
      </DialogContent>
    </Dialog>
  )
}
