import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { Refusal } from '../kit/form.tsx'
import { ConfirmDialog } from '../ui/alert-dialog.tsx'
import { unpaid } from './invoices.queries.ts'

type Unpaid = Awaited<ReturnType<typeof unpaid>>

/**
 * Asks before what is still to be paid costs nothing any more: a price of zero may be a slip, and what somebody has begun
 * to pay is cancelled for good. `question` stands in the form; `agreed` answers once somebody has, and throws what the
 * form shows when nobody knows what is still to be paid.
 */
export function useFreeOfCharge(): {
  agreed: (which: Parameters<typeof unpaid>[0]) => Promise<boolean>
  question: ReactNode
} {
  const { t } = useLingui()
  const [asked, setAsked] = useState<(Unpaid & { answer: (yes: boolean) => void }) | null>(null)
  return {
    agreed: async (which) => {
      const counted = await unpaid(which).catch(() => {
        throw new Refusal('root', t`Nada foi salvo: não foi possível ver se há faturas em aberto. Tente de novo.`)
      })
      if (counted.open === 0) return true
      const { promise, resolve } = Promise.withResolvers<boolean>()
      setAsked({ ...counted, answer: resolve })
      return promise
    },
    question: asked && (
      <ConfirmDialog
        open
        onOpenChange={() => {
          asked.answer(false)
          setAsked(null)
        }}
        title={<Trans>Não cobrar mais?</Trans>}
        confirmLabel={<Trans>Salvar sem cobrar</Trans>}
        cancelLabel={<Trans>Voltar</Trans>}
        destructive
        onConfirm={() => asked.answer(true)}
      >
        <p>
          <Plural
            value={asked.open}
            one="Com o preço zero, # fatura em aberto deixa de ser cobrada."
            other="Com o preço zero, # faturas em aberto deixam de ser cobradas."
          />
        </p>
        {asked.begun > 0 && (
          <p className="mt-2">
            <Plural
              value={asked.begun}
              one="O pagamento de # já começou: ela será cancelada, e o vencimento não será cobrado de novo."
              other="O pagamento de # já começou: elas serão canceladas, e os vencimentos não serão cobrados de novo."
            />
          </p>
        )}
      </ConfirmDialog>
    ),
  }
}
