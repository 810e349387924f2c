import { dateText } from '../i18n/dates.ts'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { TriangleAlert } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import type { CampaignWarning } from '../../schema/campaigns/campaigns.warnings.ts'
import { useCostWords, useMicros } from '../costs/costs.words.ts'
import { errorText } from '../session/error-text.ts'
import { toastError } from '../session/failure.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogBody, DialogContent, DialogFooter } from '../ui/dialog.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { toast } from '../ui/toaster.tsx'
import { campaigns } from './campaigns.queries.ts'
import type { Campaign, DryRun } from './campaigns.queries.ts'
import { ContactPreview } from './campaigns.preview.tsx'
import { useReasonWords } from './campaigns.words.tsx'

/** What would happen, before anything does: counted by the functions that send it. */
export function StartDialog({
  campaign,
  onClose,
  onStarted,
}: {
  campaign: Campaign
  onClose: () => void
  onStarted: () => void
}) {
  const { t, i18n } = useLingui()
  const words = useReasonWords()
  const { sum } = useMicros()
  const { categoryOf } = useCostWords()
  const [dry, setDry] = useState<DryRun | null>(null)
  const [problem, setProblem] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  const { id } = campaign
  useEffect(() => {
    let gone = false
    campaigns.dryRun(id).then(
      (found) => !gone && setDry(found),
      (error: unknown) => !gone && setProblem(error),
    )
    return () => {
      gone = true
    }
  }, [id])
  const start = async () => {
    setBusy(true)
    try {
      await campaigns.move(id, 'start')
      toast.success(t`Campanha iniciada`)
      onStarted()
      onClose()
    } catch (error) {
      toastError(error)
      setBusy(false)
    }
  }
  const when = (at: string) => dateText(i18n.locale, new Date(at), 'date', 'time')
  const asks = (dry?.sends.questions ?? 0) > 0
  const blocked =
    !dry ||
    dry.willReceive === 0 ||
    dry.warnings.some(({ code }) => ['no_connection', 'no_message', 'too_long'].includes(code))

  return (
    <Dialog open onOpenChange={() => !busy && onClose()}>
      <DialogContent title={t`Iniciar ${campaign.name}`}>
        <DialogBody className="flex flex-col gap-3">
          {problem !== null && <p role="alert">{errorText(problem)}</p>}
          {!dry && problem === null && (
            <p className="flex items-center gap-2 text-sm text-muted-foreground">
              <Spinner />
              <Trans>Simulando o envio…</Trans>
            </p>
          )}
          {dry && (
            <>
              <p className="text-2xl font-semibold tabular-nums">
                {asks ? (
                  <Plural
                    value={dry.willReceive}
                    one="# pessoa vai ser perguntada"
                    other="# pessoas vão ser perguntadas"
                  />
                ) : (
                  <Plural value={dry.willReceive} one="# pessoa vai receber" other="# pessoas vão receber" />
                )}
              </p>
              {asks && (
                <p className="text-sm">
                  <Plural
                    value={dry.sends.messages}
                    one="Depois sai no máximo # mensagem, só para quem responder."
                    other="Depois saem no máximo # mensagens, só para quem responder."
                  />
                </p>
              )}
              <p className="text-sm text-muted-foreground">
                {dry.endsAt && asks ? (
                  <Trans>
                    Até {i18n.number(dry.perHour)} por hora; a última pergunta sai por volta de {when(dry.endsAt)}.
                  </Trans>
                ) : dry.endsAt ? (
                  <Trans>
                    Até {i18n.number(dry.perHour)} por hora; termina por volta de {when(dry.endsAt)}.
                  </Trans>
                ) : (
                  <Trans>Sem fim previsto com os limites de agora.</Trans>
                )}
                {dry.ifAllAnswer?.endsAt && (
                  <>
                    {' '}
                    <Trans>
                      Se todos responderem logo, a última mensagem sai por volta de {when(dry.ifAllAnswer.endsAt)}.
                    </Trans>
                  </>
                )}
              </p>
              {dry.cost && (
                <p className="text-sm">
                  <Trans>
                    Custa no máximo <strong>{sum(dry.cost.micros, dry.cost.currency)}</strong>, se todas forem entregues
                    e cobradas nesta categoria: {categoryOf(dry.cost.category)}.
                  </Trans>{' '}
                  {dry.cost.unpriced > 0 && (
                    <Plural
                      value={dry.cost.unpriced}
                      one="# pessoa é de um país sem preço, e não está na conta."
                      other="# pessoas são de países sem preço, e não estão na conta."
                    />
                  )}
                </p>
              )}
              {Object.keys(dry.skipped).length > 0 && (
                <ul className="rounded-lg border text-sm" aria-label={t`Quem fica de fora`}>
                  {Object.entries(dry.skipped).map(([reason, n]) => (
                    <li key={reason} className="flex justify-between border-b px-3 py-2 last:border-b-0">
                      <span>{words(reason)}</span>
                      <span className="tabular-nums">{i18n.number(n)}</span>
                    </li>
                  ))}
                </ul>
              )}
              {dry.days.length > 1 && (
                <ul className="text-sm text-muted-foreground" aria-label={t`Por dia`}>
                  {dry.days.slice(0, 7).map((day) => (
                    <li key={day.day} className="flex justify-between py-0.5 tabular-nums">
                      <span>{dateText(i18n.locale, new Date(day.from), 'fullDate')}</span>
                      <span>{i18n.number(day.n)}</span>
                    </li>
                  ))}
                </ul>
              )}
              <ContactPreview campaignId={id} />
              {dry.warnings.map((warning) => (
                <p
                  key={warning.code}
                  className="flex items-start gap-2 rounded-lg bg-warning-soft px-3 py-2 text-sm text-warning-soft-foreground"
                >
                  <TriangleAlert className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
                  <Warning {...warning} />
                </p>
              ))}
            </>
          )}
        </DialogBody>
        <DialogFooter>
          <Button variant="outline" disabled={busy} onClick={onClose}>
            <Trans>Fechar</Trans>
          </Button>
          <Button disabled={blocked || busy} onClick={() => void start()}>
            <Trans>Iniciar agora</Trans>
          </Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  )
}

type WarningFacts = Required<Omit<CampaignWarning, 'code'>>

const warnings: Record<CampaignWarning['code'], (of: WarningFacts) => ReactNode> = {
  no_connection: () => <Trans>A campanha não tem conexão.</Trans>,
  connection_closed: () => <Trans>A conexão está fora do ar: o envio começa quando ela voltar.</Trans>,
  no_message: () => <Trans>A campanha não tem mensagem nem arquivo.</Trans>,
  nobody: () => <Trans>Ninguém receberia esta campanha.</Trans>,
  unchecked: ({ n }) => (
    <Plural value={n} one="# número ainda não foi verificado." other="# números ainda não foram verificados." />
  ),
  too_long: () => <Trans>Uma mensagem passa do tamanho que o WhatsApp aceita: encurte o texto ou as variáveis.</Trans>,
  nameless: ({ n }) => (
    <Plural
      value={n}
      one="# pessoa não tem nome: no texto ele fica vazio."
      other="# pessoas não têm nome: no texto ele fica vazio."
    />
  ),
  missing: ({ names }) => <Trans>Sem valor para alguém: {names.join(', ')}</Trans>,
  never_open: () => <Trans>Nenhum horário de envio está aberto: esta campanha nunca sairia.</Trans>,
  never_daily_cap: () => <Trans>O limite por dia da conexão é 0: esta campanha nunca sairia.</Trans>,
  never_new_chats: () => (
    <Trans>
      “Conversas novas por dia” da conexão é 0: quem nunca escreveu não receberia nada, e a campanha nunca terminaria.
    </Trans>
  ),
  never_ends: () => <Trans>Com estes horários e limites o envio não termina.</Trans>,
  no_guard: () => <Trans>O número não está protegido: sem horários, limites nem parada por falhas.</Trans>,
}

function Warning({ code, n = 0, names = [] }: CampaignWarning) {
  return warnings[code]({ n, names })
}
