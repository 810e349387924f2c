import { Trans, useLingui } from '@lingui/react/macro'
import { Type } from '@sinclair/typebox'
import { useForm } from 'react-hook-form'
import type { FlowNode } from '../../schema/flows/flows.graph.ts'
import { flowName } from '../../schema/flows/flows.inputs.ts'
import { ApiError } from '../session/api.ts'
import { FormDialog, Refusal, schemaResolver } from '../kit/form.tsx'
import { problemsOf } from '../base/form-rules.ts'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { toast } from '../ui/toaster.tsx'
import { flows, type FlowListRow } from './flows.queries.ts'

const nameForm = Type.Object({ name: flowName })

/** The name of a flow: of a new one, of one that is made of these nodes, or of one that is there. */
export function FlowNameDialog({
  flow,
  nodes,
  suggested = '',
  onClose,
  onMade,
}: {
  /** Null for a new one. */
  flow: Pick<FlowListRow, 'id' | 'name'> | null
  nodes?: readonly FlowNode[] | undefined
  suggested?: string | undefined
  onClose: () => void
  onMade?: (id: number) => void
}) {
  const { t } = useLingui()
  const form = useForm<{ name: string }>({
    defaultValues: { name: flow?.name ?? suggested },
    resolver: async (values, context, options) => {
      const [problem] = Object.values(problemsOf(nameForm, { name: values.name.trim() }))
      const words =
        problem &&
        { required: t`Digite um nome!`, tooShort: t`Muito curto!`, tooLong: t`Muito longo!` }[
          problem.kind as 'required'
        ]
      if (words) return { values: {}, errors: { name: { type: problem.kind, message: words } } }
      return schemaResolver<{ name: string }>(nameForm)(values, context, options)
    },
  })
  return (
    <FormDialog
      size="sm"
      title={flow ? t`Editar nome` : t`Adicionar fluxo`}
      form={form}
      onClose={onClose}
      onSubmit={async ({ name }) => {
        try {
          if (flow) await flows.rename(flow.id, name)
          else {
            const { id } = await flows.create(name, nodes)
            onMade?.(id)
          }
          toast.success(flow ? t`Nome alterado` : t`Fluxo criado com sucesso`)
        } catch (error) {
          // The answer to a name that is taken has no code.
          if (error instanceof ApiError && error.status === 402 && error.code === 'ERR_UNREADABLE')
            throw new Refusal<{ name: string }>('name', t`Já existe um fluxo com este nome`)
          throw error
        }
      }}
    >
      <Field label={<Trans>Nome</Trans>} required error={form.formState.errors.name?.message}>
        <Input autoFocus autoComplete="off" {...form.register('name')} />
      </Field>
    </FormDialog>
  )
}
