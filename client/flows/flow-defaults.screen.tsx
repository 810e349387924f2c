import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { FlowDefaultsInput } from '../../schema/flows/flows.edits.inputs.ts'
import { useConnectionState } from '../session/connection-state.ts'
import { errorText } from '../session/error-text.ts'
import { toastError } from '../session/failure.tsx'
import { NeedsNetwork } from '../kit/form.tsx'
import { Button } from '../ui/button.tsx'
import { Combobox } from '../ui/combobox.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Field } from '../ui/field.tsx'
import { Page, PageCard } from '../ui/page.tsx'
import { LoadingBlock } from '../ui/skeleton.tsx'
import { toast } from '../ui/toaster.tsx'
import { type FlowListRow, saveFlowDefaults, useFlowDefaults, useFlows } from './flows.queries.ts'

/** The flows that begin by themselves. */
export default function FlowDefaultsScreen() {
  const { t } = useLingui()
  const { data, error, loading, reload } = useFlowDefaults()
  // Before the flows are here, a chosen one would look like none.
  const { data: flows } = useFlows()
  return (
    <Page
      title={t`Fluxos padrões`}
      description={<Trans>Começam sozinhos, quando nenhuma frase inicia outro fluxo.</Trans>}
    >
      <PageCard className="max-w-2xl p-5">
        {data && flows ? (
          <DefaultsForm
            stored={{
              flowIdWelcome: data.flow?.flowIdWelcome ?? null,
              flowIdPhrase: data.flow?.flowIdNotPhrase ?? null,
            }}
            flows={flows}
            onSaved={reload}
          />
        ) : error && !loading ? (
          <ErrorState onRetry={reload}>{errorText(error)}</ErrorState>
        ) : (
          <LoadingBlock className="h-40 w-full" />
        )}
      </PageCard>
    </Page>
  )
}

function DefaultsForm({
  stored,
  flows,
  onSaved,
}: {
  stored: FlowDefaultsInput
  flows: readonly FlowListRow[]
  onSaved: () => void
}) {
  const { t } = useLingui()
  const offline = useConnectionState() === 'offline'
  const [chosen, setChosen] = useState(stored)
  const [busy, setBusy] = useState(false)
  const options = flows.map(({ id, name, active, versionId }) => ({
    id: String(id),
    label: name,
    ...(!active && { hint: t`desativado` }),
    ...(active && versionId === null && { hint: t`nunca publicado` }),
  }))
  const save = async () => {
    setBusy(true)
    try {
      await saveFlowDefaults(chosen)
      toast.success(t`Fluxos padrões atualizados`)
      onSaved()
    } catch (failure) {
      toastError(failure)
    } finally {
      setBusy(false)
    }
  }
  const picker = (key: keyof FlowDefaultsInput) => (
    <Combobox
      clearable
      placeholder={t`Nenhum fluxo`}
      value={chosen[key] === null ? null : String(chosen[key])}
      onChange={(id) => setChosen({ ...chosen, [key]: id === null ? null : Number(id) })}
      options={options}
    />
  )
  return (
    <div className="flex flex-col gap-5">
      <Field
        label={<Trans>Fluxo de boas-vindas</Trans>}
        hint={<Trans>Só para contatos novos, que não estão na lista de contatos e enviam uma mensagem.</Trans>}
      >
        {picker('flowIdWelcome')}
      </Field>
      <Field
        label={<Trans>Fluxo de resposta padrão</Trans>}
        hint={
          <Trans>
            Enviado para qualquer texto que não seja uma frase cadastrada, enquanto o atendimento não tem fila.
          </Trans>
        }
      >
        {picker('flowIdPhrase')}
      </Field>
      {offline && <NeedsNetwork />}
      <Button className="self-start" busy={busy} disabled={offline} onClick={() => void save()}>
        <Trans>Salvar</Trans>
      </Button>
    </div>
  )
}
