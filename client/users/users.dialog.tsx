import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { Controller, useForm, useWatch } from 'react-hook-form'
import { knownUserInput, userInput } from '../../schema/users/users.inputs.ts'
import type { UserInput } from '../../schema/users/users.inputs.ts'
import { toastError } from '../app/failure.tsx'
import { FormDialog, schemaResolver } from '../app/form.tsx'
import { session } from '../app/session-store.ts'
import { refreshUser, useCan, useUser } from '../app/session.tsx'
import { useRoles } from '../roles/roles.queries.ts'
import { RoleSelect } from '../roles/roles.select.tsx'
import { QueuePicker } from '../queues/queues.picker.tsx'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { PasswordInput } from '../ui/password-input.tsx'
import { Select } from '../ui/select.tsx'
import { Switch } from '../ui/switch.tsx'
import { toast } from '../ui/toaster.tsx'
import { useConnections } from '../whatsapps/whatsapps.queries.ts'
import { users } from './users.queries.ts'
import type { User } from './users.queries.ts'

type Form = UserInput & { password: string; currentPassword: string }

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
  const connections = useConnections().data ?? []
  const roles = useRoles(useCan('users:write')).data ?? []
  const form = useForm<Form>({
    defaultValues: user
      ? {
          name: user.name,
          email: user.email,
          password: '',
          currentPassword: '',
          profile: user.profile,
          roleId: user.roleId,
          allTicket: user.allTicket,
          whatsappId: user.whatsappId,
          queueIds: user.queues.map((queue) => queue.id),
        }
      : {
          name: '',
          email: '',
          password: '',
          currentPassword: '',
          profile: 'user',
          roleId: null,
          allTicket: false,
          whatsappId: null,
          queueIds: [],
        },
    resolver: schemaResolver(user ? knownUserInput : userInput, {
      email: t`E-mail inválido`,
      password: t`Use de 5 a 50 caracteres`,
    }),
  })
  const {
    register,
    control,
    formState: { errors },
  } = form
  const [typedEmail, typedPassword, roleId] = useWatch({ control, name: ['email', 'password', 'roleId'] })
  // Of oneself, as in the profile; an admin changes others' without.
  const needsCurrent =
    user?.id === me.id && (typedPassword !== '' || typedEmail.trim().toLowerCase() !== user.email?.toLowerCase())

  return (
    <FormDialog
      onClose={onClose}
      title={user ? t`Editar usuário` : t`Adicionar usuário`}
      form={form}
      fieldOf={{
        ERR_DUPLICATED_EMAIL: 'email',
        ERR_LAST_ADMIN: 'profile',
        ERR_BREAK_GLASS_KEPT: 'profile',
        ERR_NO_ROLE_FOUND: 'profile',
        ERR_PASSWORD_WEAK: 'password',
        ERR_CURRENT_PASSWORD: 'currentPassword',
        ERR_CURRENT_PASSWORD_REQUIRED: 'currentPassword',
      }}
      onSubmit={async ({ password: typed, ...values }) => {
        const input = {
          ...values,
          ...(typed && { password: typed }),
          currentPassword: needsCurrent ? values.currentPassword : undefined,
        }
        await (user ? users.update(user.id, input) : users.create(input))
        // A new password ends every session, this one too.
        if (typed && user?.id === me.id) return session.end('password')
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
        {needsCurrent && (
          <Field
            label={<Trans>Senha atual</Trans>}
            required
            hint={<Trans>Para mudar o e-mail ou a senha</Trans>}
            error={errors.currentPassword?.message}
          >
            <PasswordInput autoComplete="current-password" {...register('currentPassword')} />
          </Field>
        )}
        <Field label={<Trans>Perfil</Trans>} error={errors.profile?.message}>
          <Controller
            control={control}
            name="profile"
            render={({ field: { value, onChange, ref } }) => (
              <RoleSelect
                ref={ref}
                value={{ profile: value, roleId }}
                had={user}
                roles={roles}
                disabled={!mayEditProfile}
                onChange={(placed) => {
                  form.setValue('roleId', placed.roleId, { shouldDirty: true })
                  onChange(placed.profile)
                }}
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
            <Switch ref={ref} checked={value} onCheckedChange={onChange} disabled={!mayEditProfile} />
          )}
        />
      </Field>
      {user?.twoFactor && user.id !== me.id && <LostPhone of={user.id} onDone={onSaved} />}
    </FormDialog>
  )
}

/** Who has lost both the phone and the codes signs in with the password alone again. */
function LostPhone({ of, onDone }: { of: number; onDone: () => void }) {
  const { t } = useLingui()
  const [state, setState] = useState<'on' | 'busy' | 'off'>('on')
  const forget = async () => {
    setState('busy')
    try {
      await users.forgetTwoFactor(of)
      setState('off')
      toast.success(t`Verificação em duas etapas desativada`)
      onDone()
    } catch (error) {
      setState('on')
      toastError(error)
    }
  }
  if (state === 'off') return null
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 border-t pt-4">
      <div className="min-w-0 flex-1">
        <p className="text-sm font-medium">
          <Trans>Verificação em duas etapas</Trans>
        </p>
        <p className="text-xs text-muted-foreground">
          <Trans>Desative só se a pessoa perdeu o celular e os códigos.</Trans>
        </p>
      </div>
      <Button type="button" variant="outline" size="sm" busy={state === 'busy'} onClick={() => void forget()}>
        <Trans>Desativar</Trans>
      </Button>
    </div>
  )
}
