import { Trans } from '@lingui/react/macro'
import { type Control, useWatch } from 'react-hook-form'
import type { QueueInput } from '../../schema/queues/queues.inputs.ts'
import { assignmentRules, leavings } from '../../schema/queues/queues.table.ts'
import { SelectField, SwitchField } from '../kit/form-fields.tsx'
import { Field } from '../ui/field.tsx'
import { useAssignmentWords } from './queues.words.ts'

/** How the waiting tickets of a queue come to its people. What is about being given asks nothing where they take them by themselves. */
export function AssignmentFields({ control }: { control: Control<QueueInput> }) {
  const words = useAssignmentWords()
  const rule = useWatch({ control, name: 'assignment' })
  return (
    <>
      <Field label={<Trans>Quem recebe os atendimentos</Trans>} hint={words.rules[rule].hint}>
        <SelectField
          control={control}
          name="assignment"
          options={assignmentRules.map((value) => ({ value, label: words.rules[value].label }))}
        />
      </Field>
      {rule !== 'manual' && (
        <Field
          label={<Trans>Primeiro para quem atendeu o contato da última vez</Trans>}
          hint={<Trans>Se a pessoa estiver presente e ainda couber mais um.</Trans>}
          inline
        >
          <SwitchField control={control} name="lastAgentFirst" />
        </Field>
      )}
      <Field
        label={<Trans>Quando um atendente se ausenta, os atendimentos dele nesta fila</Trans>}
        hint={<Trans>Vale para quem diz que se ausenta, não para quem só fecha o aplicativo.</Trans>}
      >
        <SelectField
          control={control}
          name="whenAway"
          options={leavings
            .filter((value) => rule !== 'manual' || value !== 'others')
            .map((value) => ({ value, label: words.leavings[value] }))}
        />
      </Field>
      {rule !== 'manual' && (
        <p className="text-xs text-muted-foreground">
          <Trans>
            Recebe quem está com o aplicativo aberto, não está ausente e ainda não chegou ao seu limite de atendimentos
            abertos. Sem ninguém livre, o atendimento espera. O limite está nas configurações, e em cada usuário.
          </Trans>
        </p>
      )}
    </>
  )
}
