import { Trans, useLingui } from '@lingui/react/macro'
import { Ban, QrCode, TimerOff } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { clockText, useSecondsLeft } from '../base/seconds-left.ts'
import { CopyButton } from '../kit/copy-button.tsx'
import { useFetched } from '../session/fetched.ts'
import { useCompanyEvent } from '../session/use-event.ts'
import { Button } from '../ui/button.tsx'
import { DialogBody, DialogFooter, DialogProblem } from '../ui/dialog.tsx'
import { Input } from '../ui/input.tsx'
import { QrImage } from '../ui/qr-image.tsx'
import { useMoney } from './invoices.words.ts'
import type { Charge, Invoice, Subscription } from './invoices.queries.ts'

/** An event tells at once; where none can come, asking does. */
const lookMs = 5_000

/** The Pix of an invoice, until it is paid. */
export function PixStep({
  invoice,
  charge,
  problem,
  onRenew,
  onClose,
  onPaid,
}: {
  invoice: Invoice
  charge: Charge
  problem: string | undefined
  onRenew: () => Promise<boolean>
  onClose: () => void
  onPaid: (dueDate: string) => void
}) {
  const { t } = useLingui()
  const money = useMoney()
  const [renewing, setRenewing] = useState(false)
  const left = useSecondsLeft(charge.expiresAt === null ? null : Date.parse(charge.expiresAt))
  const ranOut = left === 0
  const state = useFetched<Invoice>(`/invoices/${invoice.id}`, undefined, { everyMs: lookMs })
  useCompanyEvent('payment', state.reload)
  const isPaid = state.data?.status === 'paid'
  const isCancelled = state.data?.status === 'cancelled'
  // The plan changed meanwhile, and the code is taken back.
  const isRepriced = state.data?.status === 'open' && state.data.value !== charge.valor.original
  const expired = ranOut || isRepriced
  const subscription = useFetched<Subscription>(isPaid ? '/subscription' : null, { paid: invoice.id })
  const dueDate = subscription.data?.dueDate
  const announced = useRef(false)
  useEffect(() => {
    if (!isPaid || !dueDate || announced.current) return
    announced.current = true
    onPaid(dueDate)
  }, [isPaid, dueDate, onPaid])
  const code = charge.qrcode.qrcode
  const amount = money(isRepriced && state.data ? state.data.value : charge.valor.original)
  return (
    <>
      <DialogBody className="grid items-center gap-6 sm:grid-cols-[1fr_17.5rem]">
        <div className="flex flex-col gap-3 text-sm">
          <p className="text-lg font-semibold tabular-nums">{amount}</p>
          <ol className="flex list-outside list-decimal flex-col gap-2 pl-5 marker:text-muted-foreground">
            <li>
              <Trans>Abra o aplicativo do seu banco e escolha pagar com Pix.</Trans>
            </li>
            <li>
              <Trans>Leia o código QR, ou copie o código e cole em “Pix copia e cola”.</Trans>
            </li>
            <li>
              <Trans>Confira o valor e confirme.</Trans>
            </li>
          </ol>
          {!isCancelled && (
            <p role="status" className="rounded-md bg-info-soft px-3 py-2 text-info-soft-foreground">
              {charge.provider === 'pix' ? (
                <Trans>
                  Quem opera a plataforma confirma o pagamento assim que o vê na conta. Você pode fechar esta janela.
                </Trans>
              ) : (
                <Trans>Aguardando o pagamento. A confirmação aparece aqui sozinha.</Trans>
              )}
            </p>
          )}
        </div>
        <div className="flex flex-col items-center gap-3 max-sm:order-first">
          {/* White in both themes: a camera reads dark modules on a light ground. */}
          <div className="flex aspect-square w-full max-w-70 items-center justify-center overflow-hidden rounded-xl border bg-white text-black">
            {isCancelled ? (
              // What is paid by a code that is still on the screen would have to be given back.
              <div role="status" className="flex flex-col items-center gap-3 px-6 text-center text-sm text-neutral-700">
                <Ban aria-hidden="true" className="size-6" />
                <Trans>A fatura foi cancelada. Não pague este código.</Trans>
              </div>
            ) : expired ? (
              <div role="status" className="flex flex-col items-center gap-3 px-6 text-center text-sm text-neutral-700">
                <TimerOff aria-hidden="true" className="size-6" />
                {isRepriced ? (
                  <Trans>O valor da fatura mudou. Não pague este código.</Trans>
                ) : (
                  <Trans>O código expirou.</Trans>
                )}
                <Button
                  size="sm"
                  busy={renewing}
                  onClick={() => {
                    setRenewing(true)
                    void onRenew().finally(() => setRenewing(false))
                  }}
                >
                  <QrCode />
                  <Trans>Gerar novo código</Trans>
                </Button>
              </div>
            ) : (
              <QrImage text={code} label={t`Código QR do Pix de ${amount}`} />
            )}
          </div>
          {!expired && !isCancelled && (
            <>
              {left !== null && (
                // Silent for screen readers, which would read every second.
                <p aria-hidden="true" className="text-xs text-muted-foreground tabular-nums">
                  <Trans>Expira em {clockText(left)}</Trans>
                </p>
              )}
              <div className="flex w-full max-w-70 flex-col gap-2">
                <Input readOnly aria-label={t`Código Pix`} value={code} className="font-mono sm:text-xs" />
                <CopyButton text={code} variant="primary" size="md">
                  <Trans>Copiar código Pix</Trans>
                </CopyButton>
              </div>
            </>
          )}
        </div>
      </DialogBody>
      {problem && <DialogProblem>{problem}</DialogProblem>}
      <DialogFooter>
        <Button variant="outline" onClick={onClose}>
          <Trans>Fechar</Trans>
        </Button>
      </DialogFooter>
    </>
  )
}
