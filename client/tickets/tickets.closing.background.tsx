import { lazy, Suspense, useEffect } from 'react'
import { useStore } from '../base/store.ts'
import { useFields } from '../custom-fields/custom-fields.rows.ts'
import { askedOnClose, closing } from './tickets.closing.ts'

const ClosingDialog = lazy(() => import('./tickets.closing-dialog.tsx'))

/** Asks for the fields that a ticket needs before it is closed, wherever it is closed from. */
export default function ClosingBackground() {
  const fields = useFields()
  const ticket = useStore(closing)
  useEffect(() => askedOnClose.set(fields.filter(({ required }) => required)), [fields])
  return (
    <Suspense fallback={null}>
      {ticket && <ClosingDialog key={ticket.id} ticket={ticket} fields={fields} onClose={() => closing.set(null)} />}
    </Suspense>
  )
}
