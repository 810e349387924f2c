import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { Controller, useForm, useWatch } from 'react-hook-form'
import { knownUserInput } from '../../schema/users/users.inputs.ts'
import type { UserInput } from '../../schema/users/users.inputs.ts'
import { toastError } from '../session/failure.tsx'
import { SelectField, SwitchField } from '../kit/form-fields.tsx'
import { FormDialog, schemaResolver } from '../kit/form.tsx'
import { session } from '../session/session-store.ts'
import { refreshUser, useCan, useUser } from '../session/session.tsx'
import { useRoles } from '../roles/roles.queries.ts'
import { RoleSelect } from '../roles/roles.select.tsx'
import { QueuePicker, useOnlyQueue } from '../queues/queues.picker.tsx'
import { useQueues } from '../queues/queues.queries.ts'
import { SkillPicker } from './users.skills.tsx'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { PasswordInput } from '../ui/password-input.tsx'
import { Notice } from '../ui/notice.tsx'
import { toast } from '../ui/toaster.tsx'
import { useConnections } from '../whatsapps/whatsapps.queries.ts'
import { users } from './users.queries.ts'
import type { Invited } from '../kit/invitation.tsx'
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
  /** As they are now, where they were there before; with the link by which somebody new chooses their password. */
  onSaved: (saved: User | null, invited?: Invited) => void
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
          capacity: user.capacity,
          skillIds: user.skillIds,
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
          capacity: null,
          skillIds: [],
        },
    resolver: schemaResolver(knownUserInput, {
      email: t`E-mail inválido`,
      password: t`Use de 5 a 128 caracteres`,
    }),
  })
  const {
    register,
    control,
    formState: { errors },
  } = form
  const [typedEmail, typedPassword, roleId, profile, allTicket, queueIds] = useWatch({
    ...{ control, name: ['email', 'password', 'roleId', 'profile', 'allTicket', 'queueIds'] },
  })
  const queues = useQueues().data
  useOnlyQueue(form, user ? undefined : queues)
  // Where all take their tickets by themselves, there is nothing to limit.
  const given =
    user?.capacity != null ||
    (user?.skillIds ?? []).length > 0 ||
    (queues ?? []).some(({ id, assignment }) => assignment !== 'manual' && queueIds.includes(id))
  const seesNothing = queueIds.length === 0 && profile === 'user' && roleId === null && !allTicket
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
        const saved = user && (await users.update(user.id, input))
        const made = user ? null : await users.create(input)
        // A new password ends every session, this one too.
        if (typed && user?.id === me.id) return session.end('password')
        toast.success(t`Usuário salvo`)
        const { invitation } = made ?? {}
        // After the dialog has closed, so that what opens next keeps the focus.
        setTimeout(() => onSaved(saved, invitation && { ...invitation, name: values.name, email: values.email }))
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
          hint={
            user ? (
              <Trans>Em branco, continua a atual.</Trans>
            ) : (
              <Trans>Em branco, a pessoa recebe um convite e escolhe a sua.</Trans>
            )
          }
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
      <div className="flex flex-col gap-2">
        <Field label={<Trans>Filas</Trans>} hint={<Trans>A pessoa vê os atendimentos destas filas.</Trans>}>
          <Controller
            control={control}
            name="queueIds"
            render={({ field }) => (
              <QueuePicker value={field.value} onChange={field.onChange} disabled={!mayEditQueues} />
            )}
          />
        </Field>
        {seesNothing && mayEditQueues && (
          <Notice>
            <Trans>Sem fila, a pessoa só vê os atendimentos que lhe são transferidos.</Trans>
          </Notice>
        )}
      </div>
      <Field
        label={<Trans>Conexão padrão</Trans>}
        hint={<Trans>Por onde saem os atendimentos que a pessoa inicia.</Trans>}
      >
        <SelectField
          control={control}
          name="whatsappId"
          disabled={!mayEditProfile}
          options={[
            { value: null, label: t`A padrão da empresa` },
            ...connections.map((connection) => ({ value: connection.id, label: connection.name })),
          ]}
        />
      </Field>
      <Field label={<Trans>Ver atendimentos sem fila</Trans>} inline>
        <SwitchField control={control} name="allTicket" disabled={!mayEditProfile} />
      </Field>
      {given && (
        <div className="grid gap-4 sm:grid-cols-2">
          <Field
            label={<Trans>Limite de atendimentos abertos</Trans>}
            hint={<Trans>Em branco, vale o da empresa.</Trans>}
            error={errors.capacity?.message}
          >
            <Input
              type="number"
              inputMode="numeric"
              min={1}
              max={500}
              disabled={!mayEditProfile}
              {...register('capacity', {
                setValueAs: (value: string | number | null) => (value === '' || value === null ? null : Number(value)),
              })}
            />
          </Field>
          <Field
            label={<Trans>Habilidades</Trans>}
            hint={<Trans>Etiquetas dos atendimentos que a pessoa conhece bem.</Trans>}
          >
            <Controller
              control={control}
              name="skillIds"
              render={({ field }) => (
                <SkillPicker value={field.value} onChange={field.onChange} disabled={!mayEditProfile} />
              )}
            />
          </Field>
        </div>
      )}
      {user?.twoFactor && user.id !== me.id && <LostPhone of={user.id} onDone={() => onSaved(null)} />}
      {user?.providerLinked && <LinkedAccount of={user.id} onDone={() => onSaved(null)} />}
    </FormDialog>
  )
}

/** Who has lost both the phone and the codes signs in with the password alone again. */
function LostPhone({ of, onDone }: { of: number; onDone: () => void }) {
  const { t } = useLingui()
  return (
    <LetGo
      title={t`Verificação em duas etapas`}
      hint={t`Desative só se a pessoa perdeu o celular e os códigos.`}
      action={t`Desativar`}
      run={() => users.forgetTwoFactor(of)}
      done={t`Verificação em duas etapas desativada`}
      onDone={onDone}
    />
  )
}

/** Whose account at the provider is another one now is known by that once they come in. */
function LinkedAccount({ of, onDone }: { of: number; onDone: () => void }) {
  const { t } = useLingui()
  return (
    <LetGo
      title={t`Conta da empresa vinculada`}
      hint={t`Desvincule só se a conta da pessoa no provedor mudou: a próxima que entrar com este e-mail será a dela.`}
      action={t`Desvincular`}
      run={() => users.unlinkProvider(of)}
      done={t`Conta da empresa desvinculada`}
      onDone={onDone}
    />
  )
}

/** What somebody has, and one click that takes it from them. */
function LetGo({
  title,
  hint,
  action,
  run,
  done,
  onDone,
}: {
  title: string
  hint: string
  action: string
  run: () => Promise<unknown>
  done: string
  onDone: () => void
}) {
  const [state, setState] = useState<'on' | 'busy' | 'off'>('on')
  const letGo = async () => {
    setState('busy')
    try {
      await run()
      setState('off')
      toast.success(done)
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
        <p className="text-sm font-medium">{title}</p>
        <p className="text-xs text-muted-foreground">{hint}</p>
      </div>
      <Button type="button" variant="outline" size="sm" busy={state === 'busy'} onClick={() => void letGo()}>
        {action}
      </Button>
    </div>
  )
}
