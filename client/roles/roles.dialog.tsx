import { Trans, useLingui } from '@lingui/react/macro'
import { Controller, useForm, useWatch } from 'react-hook-form'
import { can, covers, grantable, lacksNumbers, revealsNumbers, scopeOf } from '../../schema/permissions.ts'
import { roleInput, type RoleInput } from '../../schema/roles/roles.inputs.ts'
import { ticketScopes } from '../../schema/roles/roles.table.ts'
import { SelectField } from '../kit/form-fields.tsx'
import { FormDialog, schemaResolver } from '../kit/form.tsx'
import { usePrincipal } from '../session/session.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { Switch } from '../ui/switch.tsx'
import { toast } from '../ui/toaster.tsx'
import { type Role, roles } from './roles.queries.ts'
import { type GrantablePermission, permissionGroups, useRoleWords } from './roles.words.ts'

/** Makes a role (`role` null), beginning with what `like` has, or changes one. */
export function RoleDialog({
  role,
  like,
  onClose,
  onSaved,
}: {
  role: Role | null
  like: RoleInput | null
  onClose: () => void
  onSaved: () => void
}) {
  const { t } = useLingui()
  const me = usePrincipal()
  const words = useRoleWords()
  const begun = role ?? like
  const form = useForm<RoleInput>({
    defaultValues: {
      name: begun?.name ?? '',
      // One that is known no more is not written again.
      permissions: grantable.filter((name) => begun?.permissions.includes(name)),
      ticketScope: begun?.ticketScope ?? 'queues',
      maskNumbers: begun?.maskNumbers ?? lacksNumbers(me),
    },
    resolver: schemaResolver(roleInput),
  })
  const {
    register,
    control,
    formState: { errors },
  } = form
  const own = scopeOf(me)
  const hides = useWatch({ control, name: 'maskNumbers' })
  const isOff = (name: GrantablePermission) => hides && revealsNumbers(name)
  return (
    <FormDialog
      title={role ? t`Editar papel` : t`Adicionar papel`}
      size="lg"
      form={form}
      fieldOf={{ ERR_ROLE_NAME_ALREADY_EXISTS: 'name' }}
      onClose={onClose}
      onSubmit={async (values) => {
        await (role ? roles.update(role.id, values) : roles.create(values))
        toast.success(t`Papel salvo`)
        onSaved()
      }}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={<Trans>Nome</Trans>} required error={errors.name?.message}>
          <Input autoFocus autoComplete="off" {...register('name')} />
        </Field>
        <Field label={<Trans>Atendimentos que vê</Trans>}>
          <SelectField
            control={control}
            name="ticketScope"
            options={ticketScopes.map((scope) => ({
              value: scope,
              label: words.scopes[scope],
              disabled: ticketScopes.indexOf(scope) > ticketScopes.indexOf(own),
            }))}
          />
        </Field>
      </div>
      <Controller
        control={control}
        name="maskNumbers"
        render={({ field: { value, onChange, ref } }) => (
          <Field
            inline
            label={<Trans>Ocultar os números dos contatos</Trans>}
            hint={
              <Trans>
                No lugar deles aparece +55 11 9••••-1835, também nos arquivos exportados. O que mostraria todos fica
                desligado: automações, importação de contatos, chaves de API, webhooks e tokens.
              </Trans>
            }
          >
            <Switch ref={ref} checked={value} disabled={lacksNumbers(me)} onCheckedChange={onChange} />
          </Field>
        )}
      />
      <Controller
        control={control}
        name="permissions"
        render={({ field: { value, onChange } }) => (
          <div className="flex flex-col gap-5">
            {permissionGroups.map((group) => (
              <fieldset key={group}>
                <legend className="mb-1 text-sm font-semibold">{words.groups[group]}</legend>
                <div className="grid gap-x-4 sm:grid-cols-2">
                  {(grantable as GrantablePermission[])
                    .filter((name) => words.permissions[name].group === group)
                    .map((name) => (
                      <Field key={name} inline label={words.permissions[name].label}>
                        <Checkbox
                          checked={value.includes(name) && !isOff(name)}
                          // Nobody gives what they do not have.
                          disabled={!can(me, name) || isOff(name)}
                          onCheckedChange={(on) =>
                            onChange(on === true ? [...value, name] : value.filter((one) => one !== name))
                          }
                        />
                      </Field>
                    ))}
                </div>
              </fieldset>
            ))}
          </div>
        )}
      />
      {role && role.users > 0 && covers(me, { profile: 'user', role }) && (
        <p className="text-xs text-muted-foreground">
          <Trans>O que mudar vale na hora para quem tem este papel.</Trans>
        </p>
      )}
    </FormDialog>
  )
}
