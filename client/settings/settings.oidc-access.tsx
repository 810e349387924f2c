import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Plus, Trash2 } from 'lucide-react'
import { Controller, useFieldArray, useWatch } from 'react-hook-form'
import type { UseFormReturn } from 'react-hook-form'
import { MOST_ROLE_RULES } from '../../schema/oidc/oidc.inputs.ts'
import type { Role } from '../roles/roles.queries.ts'
import { RoleSelect } from '../roles/roles.select.tsx'
import { Button } from '../ui/button.tsx'
import { SelectField } from '../kit/form-fields.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { Switch } from '../ui/switch.tsx'
import type { ProviderForm, OidcView } from './settings.oidc.tsx'

/** Which groups of the provider have which role of ours, in their order. */
export function RoleRulesEditor({ form, roles }: { form: UseFormReturn<ProviderForm>; roles: readonly Role[] }) {
  const { t } = useLingui()
  const { register, control, formState } = form
  const { fields, append, remove } = useFieldArray({ control, name: 'roleRules' })
  const errors = formState.errors.roleRules ?? []
  const rules = useWatch({ control, name: 'roleRules' })
  return (
    <fieldset className="flex flex-col items-start gap-2">
      <legend className="mb-1.5 text-[0.8125rem] leading-none font-medium">
        <Trans>Papéis pelos grupos do provedor</Trans>
      </legend>
      <p className="text-xs text-muted-foreground">
        <Trans>
          A cada entrada vale a primeira linha cujo grupo a pessoa tem. Sem nenhuma, o papel fica como está.
        </Trans>
      </p>
      {fields.map((field, index) => {
        const number = index + 1
        return (
          <div
            key={field.id}
            role="group"
            aria-label={t`Grupo ${number}`}
            className="grid w-full grid-cols-[1fr_auto] gap-2 sm:grid-cols-[1fr_12rem_auto]"
          >
            <Input
              autoComplete="off"
              placeholder={t`Grupo no provedor`}
              aria-label={t`Nome do grupo ${number}`}
              aria-invalid={errors[index]?.group ? true : undefined}
              {...register(`roleRules.${index}.group`)}
            />
            <RoleSelect
              aria-label={t`Papel do grupo ${number}`}
              className="col-start-1 sm:col-start-auto"
              value={rules[index] ?? field}
              had={field}
              roles={roles}
              onChange={({ profile, roleId }) => {
                form.setValue(`roleRules.${index}.profile`, profile, { shouldDirty: true })
                form.setValue(`roleRules.${index}.roleId`, roleId, { shouldDirty: true })
              }}
            />
            <Button
              variant="destructive-ghost"
              size="icon"
              className="col-start-2 row-start-1 sm:col-start-auto sm:row-start-auto"
              aria-label={t`Retirar o grupo ${number}`}
              onClick={() => remove(index)}
            >
              <Trash2 />
            </Button>
            {errors[index]?.group && (
              <p role="alert" className="col-span-full text-xs text-destructive-soft-foreground">
                {errors[index].group.message}
              </p>
            )}
          </div>
        )
      })}
      <Button
        variant="outline"
        size="sm"
        disabled={fields.length >= MOST_ROLE_RULES}
        onClick={() => append({ group: '', profile: 'user', roleId: null })}
      >
        <Plus />
        <Trans>Adicionar grupo</Trans>
      </Button>
      {fields.length > 0 && (
        <Field
          className="mt-1 w-full"
          label={<Trans>Campo dos grupos no token</Trans>}
          hint={<Trans>O nome que o provedor dá à lista de grupos no ID token.</Trans>}
          error={formState.errors.groupsClaim?.message}
        >
          <Input autoComplete="off" className="font-mono text-xs" {...register('groupsClaim')} />
        </Field>
      )}
    </fieldset>
  )
}

/** Whether people come in by the provider alone, and which admin can do without it. */
export function OnlyWayFields({ form, oidc }: { form: UseFormReturn<ProviderForm>; oidc: OidcView }) {
  const { t } = useLingui()
  const { control, formState } = form
  const { provider, admins, outsiders } = oidc
  const ssoOnly = useWatch({ control, name: 'ssoOnly' })
  const chosenId = useWatch({ control, name: 'breakGlassUserId' })
  const chosen = admins.find(({ id }) => id === chosenId)
  const mayClose = Boolean(provider?.isTried || provider?.ssoOnly)
  return (
    <>
      <Controller
        control={control}
        name="ssoOnly"
        render={({ field: { value, onChange, ref } }) => (
          <Field
            inline
            label={<Trans>Entrar só com a conta da empresa</Trans>}
            error={formState.errors.ssoOnly?.message}
            hint={
              mayClose ? (
                <Trans>
                  Senha, chave de acesso e código por e-mail deixam de abrir contas. Quem já está dentro continua até a
                  sessão acabar.
                </Trans>
              ) : (
                <Trans>Para ativar, um administrador entra antes uma vez com a conta da empresa.</Trans>
              )
            }
          >
            <Switch ref={ref} checked={value} disabled={!mayClose && !value} onCheckedChange={onChange} />
          </Field>
        )}
      />
      {ssoOnly && (
        <>
          {outsiders > 0 && (
            <p role="status" className="rounded-md bg-warning-soft px-3 py-2 text-sm text-warning-soft-foreground">
              <Plural
                value={outsiders}
                one="# pessoa tem e-mail de outro domínio e não conseguirá entrar."
                other="# pessoas têm e-mail de outro domínio e não conseguirão entrar."
              />
            </p>
          )}
          <Field
            label={<Trans>Acesso de emergência</Trans>}
            required
            hint={
              chosen?.hasPassword === false ? (
                <Trans>
                  Esta pessoa foi criada pelo provedor e ainda não tem senha. Antes, defina uma em Usuários, ou peça que
                  ela use “Esqueci minha senha”.
                </Trans>
              ) : (
                <Trans>
                  Este administrador continua entrando com a própria senha, para o dia em que o provedor não responder.
                  Confirme que ele sabe a senha.
                </Trans>
              )
            }
            error={formState.errors.breakGlassUserId?.message}
          >
            <SelectField
              control={control}
              name="breakGlassUserId"
              placeholder={t`Escolha um administrador`}
              options={admins.map(({ id, name, email, hasPassword }) => ({
                value: id,
                label: hasPassword ? `${name} (${email})` : t`${name} (${email}), sem senha`,
              }))}
            />
          </Field>
        </>
      )}
    </>
  )
}
