import { Trans, useLingui } from '@lingui/react/macro'
import { useForm } from 'react-hook-form'
import { Dialog, DialogBody, DialogButtons, DialogContent, DialogForm } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { PasswordInput } from '../ui/password-input.tsx'
import { toast } from '../ui/toaster.tsx'
import { api } from './api.ts'
import { toastError } from './error-text.ts'
import { PushSettings } from './push-settings.tsx'
import { refreshUser, useUser } from './session.tsx'

type ProfileForm = { name: string; email: string; password: string }

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
  const {
    register,
    handleSubmit,
    formState: { errors, isSubmitting },
  } = useForm<ProfileForm>({ defaultValues: { name: user.name, email: user.email, password: '' } })

  const save = handleSubmit(async ({ name, email, password }) => {
    try {
      await api.put(`/users/${user.id}`, { name: name.trim(), email: email.trim(), ...(password ? { password } : {}) })
      await refreshUser()
      toast.success(t`Perfil salvo`)
      onOpenChange(false)
    } catch (error) {
      toastError(error)
    }
  })

  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent title={t`Perfil`} size="sm">
        <DialogForm onSubmit={(event) => void save(event)}>
          <DialogBody className="flex flex-col gap-4">
            <Field label={t`Nome`} required error={errors.name?.message}>
              <Input
                autoComplete="name"
                {...register('name', {
                  required: t`Obrigatório`,
                  minLength: { value: 2, message: t`Curto demais` },
                  maxLength: { value: 50, message: t`Longo demais` },
                })}
              />
            </Field>
            <Field label={t`E-mail`} required error={errors.email?.message}>
              <Input
                type="email"
                autoComplete="email"
                {...register('email', {
                  required: t`Obrigatório`,
                  pattern: { value: /^\S+@\S+\.\S+$/, message: t`E-mail inválido` },
                })}
              />
            </Field>
            <Field label={t`Nova senha`} hint={t`Deixe em branco para manter a atual`} error={errors.password?.message}>
              <PasswordInput
                autoComplete="new-password"
                {...register('password', {
                  minLength: { value: 5, message: t`Curto demais` },
                  maxLength: { value: 50, message: t`Longo demais` },
                })}
              />
            </Field>
            <PushSettings />
          </DialogBody>
          <DialogButtons busy={isSubmitting}>
            <Trans>Salvar</Trans>
          </DialogButtons>
        </DialogForm>
      </DialogContent>
    </Dialog>
  )
}
