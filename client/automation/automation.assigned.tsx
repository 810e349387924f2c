import { Trans, useLingui } from '@lingui/react/macro'
import { dateText } from '../i18n/dates.ts'
import { useUsers } from '../replica/directory.ts'
import { Dialog, DialogBody, DialogContent } from '../ui/dialog.tsx'
import type { AssignedRow } from './automation.assigned.rows.ts'
import { assignedWords } from './automation.assigned.words.ts'

/** Why a queue gave a ticket to somebody, asked for in its timeline. */
export default function AssignedDialog({ event, onClose }: { event: AssignedRow; onClose: () => void }) {
  const { t } = useLingui()
  const name = String(event.data['user'] ?? '')
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent title={t`Por que o atendimento foi entregue a ${name}?`} size="sm">
        <DialogBody>
          <Assigned event={event} />
        </DialogBody>
      </DialogContent>
    </Dialog>
  )
}

/** The reasons in plain sentences: what the rule was, how much they had, and who was passed over. */
export function Assigned({ event }: { event: AssignedRow }) {
  const { i18n } = useLingui()
  const { byId } = useUsers()
  const { sentences, passed, unnamed } = assignedWords(event.data, (id) => byId.get(id)?.name)
  return (
    <div className="flex flex-col gap-4 text-sm">
      <div className="flex flex-col gap-1 rounded-lg bg-muted px-3.5 py-3">
        {sentences.map((sentence) => (
          <p key={sentence} className="wrap-anywhere">
            {sentence}
          </p>
        ))}
        <time dateTime={new Date(event.createdAt).toISOString()} className="text-xs text-muted-foreground tabular-nums">
          {dateText(i18n.locale, event.createdAt, 'moment')}
        </time>
      </div>
      {(passed.length > 0 || unnamed > 0) && (
        <section className="flex flex-col gap-2">
          <h3 className="font-medium">
            <Trans>Quem não podia receber</Trans>
          </h3>
          <dl className="flex flex-col gap-2">
            {passed.map(({ why, words, names }) => (
              <div key={why}>
                <dt className="text-xs text-muted-foreground">{words}</dt>
                <dd className="wrap-anywhere">{names.join(', ')}</dd>
              </div>
            ))}
          </dl>
          {unnamed > 0 && (
            <p className="text-muted-foreground">
              {passed.length > 0 ? <Trans>Outras pessoas: {unnamed}</Trans> : <Trans>Pessoas: {unnamed}</Trans>}
            </p>
          )}
        </section>
      )}
    </div>
  )
}
