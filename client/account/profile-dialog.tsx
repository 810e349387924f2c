import { Trans, useLingui } from '@lingui/react/macro'
import { useForm, useWatch } from 'react-hook-form'
import { profileInput, provenProfileInput } from '../../schema/users/users.inputs.ts'
import { Dialog, DialogBody, DialogButtons, DialogContent, DialogForm } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { PasswordInput } from '../ui/password-input.tsx'
import { toast } from '../ui/toaster.tsx'
import { api, ApiError } from '../session/api.ts'
import { errorText } from '../session/error-text.ts'
import { toastError } from '../session/failure.tsx'
import { schemaResolver } from '../kit/form.tsx'
import { Passkeys } from './passkeys-section.tsx'
import { PushSettings } from './push-settings.tsx'
import { session } from '../session/session-store.ts'
import { refreshUser, useUser } from '../session/session.tsx'
import { SignIns } from './sign-ins.tsx'
import { TwoFactor } from './two-factor.tsx'

type ProfileForm = { name: string; email: string; password: string; currentPassword: string }

/** Under which field a refusal is shown. */
const fieldOf: Record<string, 'email' | 'password' | 'currentPassword' | undefined> = {
  ERR_DUPLICATED_EMAIL: 'email',
  ERR_PASSWORD_WEAK: 'password',
  ERR_CURRENT_PASSWORD: 'currentPassword',
  ERR_CURRENT_PASSWORD_REQUIRED: 'currentPassword',
}

/** One's own name, e-mail and password. Profile and queues are for admins, on the users screen. */
export default function ProfileDialog({
  open,
  onOpenChange,
}: {
  open: boolean
  onOpenChange: (open: boolean) => void
}) {
  const { t } = useLingui()
  const user = useUser()
  // Whoever finds the screen unlocked must not take the account over.
  const asksProof = ({ email, password }: Pick<ProfileForm, 'email' | 'password'>) =>
    password !== '' || email.trim().toLowerCase() !== user.email.toLowerCase()
  const {
    register,
    handleSubmit,
    control,
    setError,
    formState: { errors, isSubmitting },
  } = useForm<ProfileForm>({
    defaultValues: { name: user.name, email: user.email, password: '', currentPassword: '' },
    resolver: (values, context, options) =>
      schemaResolver<ProfileForm>(asksProof(values) ? provenProfileInput : profileInput, {
        email: t`E-mail inválido`,
      })(values, context, options),
  })
  const [email, password] = useWatch({ control, name: ['email', 'password'] })
  const needsCurrent = asksProof({ email, password })

  const save = handleSubmit(async (typed) => {
    const { name, email, password, currentPassword } = typed
    try {
      await api.put(`/users/${user.id}`, {
        name,
        email,
        ...(password && { password }),
        ...(needsCurrent && { currentPassword }),
      })
      // A new password ends every session, this one too.
      if (password) return await session.end('password')
      await refreshUser()
      toast.success(t`Perfil salvo`)
      onOpenChange(false)
    } catch (error) {
      const field = error instanceof ApiError ? fieldOf[error.code] : undefined
      if (field) setError(field, { message: errorText(error) }, { shouldFocus: true })
      else toastError(error)
    }
  })

  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent title={t`Perfil`} size="sm">
        <DialogForm onSubmit={(event) => void save(event)}>
          <DialogBody className="flex flex-col gap-4">
            <Field label={t`Nome`} required error={errors.name?.message}>
              <Input autoComplete="name" {...register('name')} />
            </Field>
            <Field label={t`E-mail`} required error={errors.email?.message}>
              <Input type="email" autoComplete="email" {...register('email')} />
            </Field>
            <Field label={t`Nova senha`} hint={t`Deixe em branco para manter a atual`} error={errors.password?.message}>
              <PasswordInput autoComplete="new-password" {...register('password')} />
            </Field>
            {needsCurrent && (
              <Field
                label={t`Senha atual`}
                required
                hint={t`Para mudar o e-mail ou a senha`}
                error={
                  errors.currentPassword?.type === 'required'
                    ? t`Informe a senha atual`
                    : errors.currentPassword?.message
                }
              >
                <PasswordInput autoComplete="current-password" {...register('currentPassword')} />
              </Field>
            )}
            <PushSettings />
            <TwoFactor />
            <Passkeys />
            <SignIns />
          </DialogBody>
          <DialogButtons busy={isSubmitting}>
            <Trans>Salvar</Trans>
          </DialogButtons>
        </DialogForm>
      </DialogContent>
    </Dialog>
  )
}
