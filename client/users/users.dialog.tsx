import { Trans, useLingui } from '@lingui/react/macro'
import { Type } from '@sinclair/typebox'
import { Controller, useForm } from 'react-hook-form'
import { email, optionalRowId, password, personName, rowId } from '../../schema/inputs.ts'
import { profiles } from '../../schema/users/users.table.ts'
import { FormDialog, schemaResolver } from '../app/form.tsx'
import { refreshUser, useCan, useUser } from '../app/session.tsx'
import { QueuePicker } from '../queues/queues.picker.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { PasswordInput } from '../ui/password-input.tsx'
import { Select } from '../ui/select.tsx'
import { Switch } from '../ui/switch.tsx'
import { toast } from '../ui/toaster.tsx'
import { useConnections } from '../whatsapps/whatsapps.queries.ts'
import { users } from './users.queries.ts'
import type { User, UserInput } from './users.queries.ts'
import { useProfileNames } from './users.words.ts'

const common = {
  name: personName,
  email,
  profile: Type.Union(profiles.map((profile) => Type.Literal(profile))),
  allTicket: Type.Union([Type.Literal('enabled'), Type.Literal('desabled')]),
  whatsappId: optionalRowId,
  queueIds: Type.Array(rowId),
}
const newUser = Type.Object({ ...common, password })
/** An empty password leaves the old one. */
const knownUser = Type.Object({ ...common, password: Type.Union([Type.Literal(''), password]) })

type Form = UserInput & { password: string }

/** Adds (`user` null) or edits a user of the company. */
export function UserDialog({
  user,
  onClose,
  onSaved,
}: {
  user: User | null
  onClose: () => void
  onSaved: () => void
}) {
  const { t } = useLingui()
  const me = useUser()
  const mayEditProfile = useCan('user-modal:editProfile')
  const mayEditQueues = useCan('user-modal:editQueues')
  const profileNames = useProfileNames()
  const connections = useConnections().data ?? []
  const form = useForm<Form>({
    defaultValues: user
      ? {
          name: user.name,
          email: user.email,
          password: '',
          profile: user.profile,
          allTicket: user.allTicket,
          whatsappId: user.whatsappId,
          queueIds: user.queues.map((queue) => queue.id),
        }
      : { name: '', email: '', password: '', profile: 'user', allTicket: 'desabled', whatsappId: null, queueIds: [] },
    resolver: schemaResolver(user ? knownUser : newUser, {
      email: t`E-mail inválido`,
      password: t`Use de 5 a 50 caracteres`,
    }),
  })
  const {
    register,
    control,
    formState: { errors },
  } = form

  return (
    <FormDialog
      onClose={onClose}
      title={user ? t`Editar usuário` : t`Adicionar usuário`}
      form={form}
      fieldOf={{ ERR_DUPLICATED_EMAIL: 'email', ERR_LAST_ADMIN: 'profile' }}
      onSubmit={async ({ password: typed, ...values }) => {
        const input = typed ? { ...values, password: typed } : values
        await (user ? users.update(user.id, input) : users.create(input))
        toast.success(t`Usuário salvo`)
        onSaved()
        if (user?.id === me.id) await refreshUser()
      }}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={<Trans>Nome</Trans>} required error={errors.name?.message}>
          <Input autoFocus autoComplete="off" {...register('name')} />
        </Field>
        <Field label={<Trans>E-mail</Trans>} required error={errors.email?.message}>
          <Input type="email" autoComplete="off" {...register('email')} />
        </Field>
        <Field
          label={<Trans>Senha</Trans>}
          required={!user}
          hint={user ? <Trans>Em branco, continua a atual.</Trans> : <Trans>De 5 a 50 caracteres.</Trans>}
          error={errors.password?.message}
        >
          <PasswordInput autoComplete="new-password" {...register('password')} />
        </Field>
        <Field label={<Trans>Perfil</Trans>} error={errors.profile?.message}>
          <Controller
            control={control}
            name="profile"
            render={({ field: { value, onChange, ref } }) => (
              <Select
                ref={ref}
                value={value}
                onChange={onChange}
                disabled={!mayEditProfile}
                options={[...profiles].map((profile) => ({ value: profile, label: profileNames[profile] }))}
              />
            )}
          />
        </Field>
      </div>
      <Field label={<Trans>Filas</Trans>} hint={<Trans>A pessoa vê os atendimentos destas filas.</Trans>}>
        <Controller
          control={control}
          name="queueIds"
          render={({ field }) => (
            <QueuePicker value={field.value} onChange={field.onChange} disabled={!mayEditQueues} />
          )}
        />
      </Field>
      <Field
        label={<Trans>Conexão padrão</Trans>}
        hint={<Trans>Por onde saem os atendimentos que a pessoa inicia.</Trans>}
      >
        <Controller
          control={control}
          name="whatsappId"
          render={({ field: { value, onChange, ref } }) => (
            <Select
              ref={ref}
              value={String(value ?? 'none')}
              onChange={(next) => onChange(next === 'none' ? null : Number(next))}
              disabled={!mayEditProfile}
              options={[
                { value: 'none', label: t`A padrão da empresa` },
                ...connections.map((connection) => ({ value: String(connection.id), label: connection.name })),
              ]}
            />
          )}
        />
      </Field>
      <Field label={<Trans>Ver atendimentos sem fila</Trans>} inline>
        <Controller
          control={control}
          name="allTicket"
          render={({ field: { value, onChange, ref } }) => (
            <Switch
              ref={ref}
              checked={value === 'enabled'}
              onCheckedChange={(on) => onChange(on ? 'enabled' : 'desabled')}
              disabled={!mayEditProfile}
            />
          )}
        />
      </Field>
    </FormDialog>
  )
}
