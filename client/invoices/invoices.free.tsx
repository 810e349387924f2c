import { Plural, Trans } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { ConfirmDialog } from '../ui/alert-dialog.tsx'
import { unpaid } from './invoices.queries.ts'

type Unpaid = Awaited<ReturnType<typeof unpaid>>

/**
 * Asks before what is still to be paid costs nothing any more: a price of zero may be a slip, and what somebody has begun
 * to pay is cancelled for good. `question` stands in the form; `agreed` answers once somebody has.
 */
export function useFreeOfCharge(): {
  agreed: (which: Parameters<typeof unpaid>[0]) => Promise<boolean>
  question: ReactNode
} {
  const [asked, setAsked] = useState<(Unpaid & { answer: (yes: boolean) => void }) | null>(null)
  return {
    agreed: async (which) => {
      const counted = await unpaid(which)
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
          <p>
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
