import { Trans, useLingui } from '@lingui/react/macro'
import { MessageCircleQuestion, WifiOff } from 'lucide-react'
import { errorText } from '../app/error-text.ts'
import { useFetched } from '../app/fetched.ts'
import { useCan } from '../app/session.tsx'
import { useOnline } from '../app/use-online.ts'
import { dateText } from '../i18n/dates.ts'
import { Dialog, DialogBody, DialogContent } from '../ui/dialog.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { decisionPath, type ToldDecision } from './automation.queries.ts'
import { Steps } from './automation.steps.tsx'
import { stepSentence } from './automation.words.ts'

/** Why a message was answered automatically, or was not, or why it was sent. */
export default function WhyDialog({
  messageId,
  fromMe,
  text,
  onClose,
}: {
  messageId: string
  fromMe: boolean
  /** The message, in short. */
  text: string
  onClose: () => void
}) {
  const { t } = useLingui()
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title={fromMe ? t`Por que esta mensagem foi enviada?` : t`Por que esta mensagem foi respondida assim?`}
        description={text === '' ? undefined : <span className="line-clamp-2 wrap-anywhere">{text}</span>}
      >
        <DialogBody>
          <Decisions messageId={messageId} fromMe={fromMe} onLeave={onClose} />
        </DialogBody>
      </DialogContent>
    </Dialog>
  )
}

function Decisions({ messageId, fromMe, onLeave }: { messageId: string; fromMe: boolean; onLeave: () => void }) {
  const { t, i18n } = useLingui()
  const online = useOnline()
  const sees = useCan('automations:trace')
  const { data, error, reload } = useFetched<{ decisions: ToldDecision[] }>(decisionPath(messageId))
  if (!data) {
    if (error?.status === 0 || (!error && !online))
      return (
        <EmptyState icon={WifiOff} title={<Trans>Sem conexão</Trans>} className="py-8">
          <Trans>O motivo está guardado no servidor. Ele aparece aqui quando a conexão voltar.</Trans>
        </EmptyState>
      )
    if (error)
      return (
        <ErrorState onRetry={reload} className="py-8">
          {errorText(error)}
        </ErrorState>
      )
    return (
      <div role="status" aria-label={t`Carregando o motivo`} className="flex flex-col gap-2.5 py-2">
        <Skeleton className="h-4 w-4/5" />
        <Skeleton className="h-4 w-1/2" />
      </div>
    )
  }
  if (data.decisions.length === 0)
    return (
      <EmptyState icon={MessageCircleQuestion} title={<Trans>Nenhuma decisão automática</Trans>} className="py-8">
        {fromMe ? (
          <Trans>Esta mensagem não foi enviada por uma regra: foi escrita no celular, por exemplo.</Trans>
        ) : (
          <Trans>Ninguém decidiu sobre esta mensagem: um atendente estava com o atendimento, por exemplo.</Trans>
        )}
      </EmptyState>
    )
  return (
    <div className="flex flex-col gap-5">
      {data.decisions.map(({ createdAt, trigger, steps }) => {
        const ended = steps.at(-1)
        return (
          <section key={`${trigger} ${createdAt}`} className="flex flex-col gap-3">
            {ended && (
              <div className="rounded-lg bg-muted px-3.5 py-3">
                <p className="text-sm font-medium text-balance">{t(stepSentence(ended))}</p>
                <time dateTime={createdAt} className="text-xs text-muted-foreground tabular-nums">
                  {dateText(i18n.locale, new Date(createdAt), 'moment')}
                </time>
              </div>
            )}
            {sees && <Steps steps={steps} onLeave={onLeave} />}
          </section>
        )
      })}
    </div>
  )
}
