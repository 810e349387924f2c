import { Suspense, useEffect } from 'react'
import { onDemand } from '../base/late.tsx'
import { useStore } from '../base/store.ts'
import { useFields } from '../custom-fields/custom-fields.rows.ts'
import { askedOnClose, closing } from './tickets.closing.ts'

const ClosingDialog = onDemand(() => import('./tickets.closing-dialog.tsx'))

/** Asks for the fields that a ticket needs before it is closed, wherever it is closed from. */
export default function ClosingBackground() {
  const fields = useFields()
  const ticket = useStore(closing)
  useEffect(() => askedOnClose.set(fields.filter(({ required }) => required)), [fields])
  const isAsked = fields.some(({ required }) => required)
  // Whoever is asked may be without a network by then.
  useEffect(() => {
    if (isAsked) void ClosingDialog.fetch().catch(() => undefined)
  }, [isAsked])
  return (
    <Suspense fallback={null}>
      {ticket && <ClosingDialog key={ticket.id} ticket={ticket} fields={fields} onClose={() => closing.set(null)} />}
    </Suspense>
  )
}
