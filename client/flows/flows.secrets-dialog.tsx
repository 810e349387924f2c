import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { KeyRound, Plus } from 'lucide-react'
import { useForm } from 'react-hook-form'
import { flowSecretForm, hostsIn } from '../../schema/flows/flows.edits.inputs.ts'
import type { FlowSecretForm } from '../../schema/flows/flows.edits.inputs.ts'
import { useConnectionState } from '../session/connection-state.ts'
import { errorText } from '../session/error-text.ts'
import { FormDialog, NeedsNetwork, schemaResolver } from '../kit/form.tsx'
import { RemoveDialog, RowActions, useRowOverlay } from '../kit/row-actions.tsx'
import { msOf } from '../replica/rows.ts'
import { dateText } from '../i18n/dates.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogBody, DialogContent, DialogFooter, DialogProblem } from '../ui/dialog.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { PasswordInput } from '../ui/password-input.tsx'
import { LoadingBlock } from '../ui/skeleton.tsx'
import { toast } from '../ui/toaster.tsx'
import { type FlowSecret, flowSecrets, useFlowSecrets } from './flows.queries.ts'

/** The keys that calls of flows name: what each is called, who wrote it, and which flows use it. Never what it is. */
export function SecretsDialog({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const offline = useConnectionState() === 'offline'
  const { data, error, reload } = useFlowSecrets()
  const { edited, removed, create, edit, remove, close } = useRowOverlay<FlowSecret>(data?.secrets)
  const add = (
    <Button disabled={offline} onClick={create}>
      <Plus />
      <Trans>Adicionar segredo</Trans>
    </Button>
  )
  if (edited !== undefined) return <SecretDialog secret={edited} onClose={close} onSaved={reload} />
  return (
    <Dialog open onOpenChange={onClose}>
      <DialogContent
        title={<Trans>Segredos</Trans>}
        description={
          <Trans>
            Chaves para as chamadas dos fluxos. Um bloco usa o nome; o valor fica guardado e ninguém mais o vê.
          </Trans>
        }
      >
        <DialogBody>
          {data ? (
            data.secrets.length === 0 ? (
              <EmptyState icon={KeyRound} title={<Trans>Nenhum segredo</Trans>} action={add}>
                <Trans>Guarde aqui a chave de um serviço, em vez de escrevê-la no fluxo.</Trans>
              </EmptyState>
            ) : (
              <ul className="divide-y rounded-lg border" aria-label={t`Segredos`}>
                {data.secrets.map((secret) => (
                  <li key={secret.id} className="flex items-start gap-2 py-2.5 pr-1.5 pl-3.5">
                    <div className="min-w-0 flex-1">
                      <code className="text-sm font-medium wrap-anywhere">{`{{secret:${secret.name}}}`}</code>
                      <SecretFacts secret={secret} />
                    </div>
                    <RowActions
                      name={secret.name}
                      disabled={offline}
                      onEdit={() => edit(secret)}
                      onRemove={() => remove(secret)}
                    />
                  </li>
                ))}
              </ul>
            )
          ) : error ? null : (
            <LoadingBlock className="h-32 w-full" />
          )}
        </DialogBody>
        {error && !data && <DialogProblem>{errorText(error)}</DialogProblem>}
        {offline && <NeedsNetwork className="mx-5 mb-3" />}
        {data && data.secrets.length > 0 && <DialogFooter>{add}</DialogFooter>}
      </DialogContent>
      {removed && (
        <RemoveDialog
          name={removed.name}
          remove={() => flowSecrets.remove(removed.id)}
          onRemoved={reload}
          onClose={close}
        >
          {removed.flows.length > 0 ? (
            <Trans>As chamadas destes fluxos passam a falhar: {removed.flows.join(', ')}.</Trans>
          ) : (
            <Trans>Nenhum fluxo o usa.</Trans>
          )}
        </RemoveDialog>
      )}
    </Dialog>
  )
}

function SecretFacts({ secret: { flows, hosts, userName, updatedAt } }: { secret: FlowSecret }) {
  const { i18n } = useLingui()
  const when = dateText(i18n.locale, msOf(updatedAt), 'moment')
  return (
    <p className="mt-0.5 text-xs text-muted-foreground" title={flows.join(', ')}>
      {userName ? (
        <Trans>
          {userName}, {when}
        </Trans>
      ) : (
        when
      )}
      {' · '}
      {flows.length === 0 ? (
        <Trans>sem uso</Trans>
      ) : (
        <Plural value={flows.length} one="usado em # fluxo" other="usado em # fluxos" />
      )}
      {' · '}
      {hosts.length === 0 ? (
        <span className="text-warning-soft-foreground">
          <Trans>sem endereço: as chamadas falham</Trans>
        </span>
      ) : (
        hosts.join(', ')
      )}
    </p>
  )
}

/** Writes a new secret, or (`secret`) another value in the place of one. */
function SecretDialog({
  secret,
  onClose,
  onSaved,
}: {
  secret: FlowSecret | null
  onClose: () => void
  onSaved: () => void
}) {
  const { t } = useLingui()
  const form = useForm<FlowSecretForm>({
    defaultValues: { name: secret?.name ?? '', value: '', hosts: secret?.hosts ?? [] },
    resolver: schemaResolver(flowSecretForm, {
      name: t`Use letras sem acento, números, ponto, traço ou sublinhado`,
      value: t`Use uma só linha, sem acentos`,
      hosts: t`Escreva o endereço do serviço, como api.exemplo.com.br`,
    }),
  })
  const {
    register,
    formState: { errors },
  } = form
  return (
    <FormDialog
      size="sm"
      title={secret ? t`Trocar o valor de ${secret.name}` : t`Adicionar segredo`}
      form={form}
      fieldOf={{ ERR_FLOW_SECRET_ALREADY_EXISTS: 'name' }}
      onClose={onClose}
      onSubmit={async ({ name, value, hosts }) => {
        await (secret ? flowSecrets.replace(secret.id, { value, hosts }) : flowSecrets.create({ name, value, hosts }))
        toast.success(t`Segredo guardado`)
        onSaved()
      }}
    >
      {!secret && (
        <Field
          label={<Trans>Nome</Trans>}
          required
          hint={<Trans>Não muda depois: é por ele que os blocos o usam.</Trans>}
          error={errors.name?.message}
        >
          <Input autoFocus autoComplete="off" spellCheck={false} {...register('name')} />
        </Field>
      )}
      <Field
        label={<Trans>Valor</Trans>}
        required
        hint={<Trans>Depois de guardado ele não é mais mostrado.</Trans>}
        error={errors.value?.message}
      >
        <PasswordInput autoFocus={secret !== null} autoComplete="new-password" {...register('value')} />
      </Field>
      <Field
        label={<Trans>Enviado só para</Trans>}
        required
        hint={<Trans>O endereço do serviço; vários, separados por vírgula. Chamadas para outro endereço falham.</Trans>}
        error={errors.hosts?.message}
      >
        <Input
          autoComplete="off"
          spellCheck={false}
          inputMode="url"
          {...register('hosts', {
            setValueAs: (typed: string | string[]) => (typeof typed === 'string' ? hostsIn(typed) : typed),
          })}
        />
      </Field>
    </FormDialog>
  )
}
