import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { Controller, useForm, useWatch } from 'react-hook-form'
import { oidcInput, type OidcInput } from '../../schema/oidc/oidc.inputs.ts'
import { api } from '../session/api.ts'
import { CopyButton } from '../kit/copy-button.tsx'
import { errorText } from '../session/error-text.ts'
import { useFetched } from '../session/fetched.ts'
import { SelectField } from '../kit/form-fields.tsx'
import { FormDialog, schemaResolver } from '../kit/form.tsx'
import { RemoveDialog } from '../kit/row-actions.tsx'
import { SecretInput } from '../kit/secret-input.tsx'
import { useRoles } from '../roles/roles.queries.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { cn } from '../ui/cn.ts'
import { Card, CardBody, CardHeader } from '../ui/card.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { LoadingBlock } from '../ui/skeleton.tsx'
import { Switch } from '../ui/switch.tsx'
import { toast } from '../ui/toaster.tsx'
import { useWantedPlace } from './settings.row.tsx'
import { type DomainProof, DomainProofs } from './settings.oidc-domains.tsx'
import { OnlyWayFields, RoleRulesEditor } from './settings.oidc-access.tsx'

export interface OidcView {
  provider: (OidcInput & { isTried: boolean; proofs: DomainProof[] }) | null
  redirectUri: string
  /** Whoever could do without the provider. */
  admins: { id: number; name: string; email: string; hasPassword: boolean }[]
  /** How many have an e-mail that the provider may not vouch for. */
  outsiders: number
}
const path = '/auth/oidc/provider'

/** Whom the company trusts to say who its people are. For its admins. */
export function CompanyAccountSettings({
  isWanted,
  disabled,
}: {
  /** Somebody asked for it by its name. */
  isWanted: boolean
  disabled: boolean
}) {
  const { t } = useLingui()
  const place = useWantedPlace<HTMLElement>(isWanted)
  const { data, error, reload } = useFetched<OidcView>(path)
  const [open, setOpen] = useState<'form' | 'remove' | null>(null)
  const provider = data?.provider
  return (
    <Card
      ref={place}
      aria-label={t`Conta da empresa para entrar`}
      aria-current={isWanted || undefined}
      className={cn(isWanted && 'bg-primary-soft')}
    >
      <CardHeader
        title={<Trans>Conta da empresa para entrar</Trans>}
        description={<Trans>Quem tem conta no provedor da empresa (OpenID Connect) entra sem outra senha.</Trans>}
      />
      <CardBody className="flex flex-wrap items-center justify-between gap-3 text-sm">
        {!data && !error && <LoadingBlock className="h-8 w-48" />}
        {error && !data && (
          <p role="alert" className="text-destructive-soft-foreground">
            {errorText(error)}
          </p>
        )}
        {data && (
          <p className="min-w-0 flex-1 wrap-anywhere">
            {provider ? (
              <>
                <span className="font-medium">{provider.issuer}</span>
                {provider.ssoOnly && (
                  <Badge tone="primary" className="mt-1.5">
                    <Trans>Só com a conta da empresa</Trans>
                  </Badge>
                )}
              </>
            ) : (
              <span className="text-muted-foreground">
                <Trans>Desativada: cada pessoa entra com a sua senha.</Trans>
              </span>
            )}
          </p>
        )}
        {data && (
          <div className="flex gap-2">
            {provider && (
              <Button variant="outline" size="sm" disabled={disabled} onClick={() => setOpen('remove')}>
                <Trans>Desativar</Trans>
              </Button>
            )}
            <Button variant="outline" size="sm" disabled={disabled} onClick={() => setOpen('form')}>
              <Trans>Configurar</Trans>
            </Button>
          </div>
        )}
        {provider && <DomainProofs proofs={provider.proofs} disabled={disabled} onChanged={reload} />}
      </CardBody>
      {data && open === 'form' && <ProviderDialog oidc={data} onClose={() => setOpen(null)} onSaved={reload} />}
      {provider && open === 'remove' && (
        <RemoveDialog
          name={provider.issuer}
          remove={() => api.delete(path)}
          onRemoved={reload}
          onClose={() => setOpen(null)}
        >
          <Trans>Todos voltam a entrar só com a senha.</Trans>
        </RemoveDialog>
      )}
    </Card>
  )
}

export type ProviderForm = Omit<OidcInput, 'domains'> & { domains: string }

function ProviderDialog({ oidc, onClose, onSaved }: { oidc: OidcView; onClose: () => void; onSaved: () => void }) {
  const { t } = useLingui()
  const { provider, redirectUri } = oidc
  const roles = useRoles().data ?? []
  const domainsOf = (text: string) => text.split(/[\s,;]+/).filter(Boolean)
  const rules = schemaResolver<OidcInput>(oidcInput, {
    issuer: t`Comece com https://`,
    'domains.*': t`Domínio inválido`,
  })
  const form = useForm<ProviderForm>({
    defaultValues: {
      issuer: provider?.issuer ?? '',
      clientId: provider?.clientId ?? '',
      secret: provider?.secret ?? '',
      domains: provider?.domains.join(', ') ?? '',
      makesUsers: provider?.makesUsers ?? false,
      roleId: provider?.roleId ?? null,
      groupsClaim: provider?.groupsClaim ?? 'groups',
      roleRules: provider?.roleRules ?? [],
      ssoOnly: provider?.ssoOnly ?? false,
      breakGlassUserId: provider?.breakGlassUserId ?? null,
    },
    resolver: async (values, context, options) => {
      const found = await rules({ ...values, domains: domainsOf(values.domains) }, context, options as never)
      if (Object.keys(found.errors).length === 0) return { values, errors: {} }
      const { domains, ...others } = found.errors as Record<string, { message?: string } | { message?: string }[]>
      const message = Array.isArray(domains) ? domains.find(Boolean)?.message : domains?.message
      return { values: {}, errors: { ...others, ...(domains && { domains: { type: 'format', message } }) } as never }
    },
  })
  const {
    register,
    control,
    formState: { errors },
  } = form
  const makesUsers = useWatch({ control, name: 'makesUsers' })
  return (
    <FormDialog
      title={t`Conta da empresa para entrar`}
      size="lg"
      form={form}
      fieldOf={{
        ...{ ERR_OIDC_PROVIDER: 'issuer', ERR_ADDRESS_REFUSED: 'issuer', ERR_NO_ROLE_FOUND: 'roleId' },
        ...{ ERR_OIDC_UNTRIED: 'ssoOnly', ERR_BREAK_GLASS: 'breakGlassUserId' },
        ERR_BREAK_GLASS_PASSWORD: 'breakGlassUserId',
        ...{ ERR_OIDC_DOMAIN_TAKEN: 'domains', ERR_OIDC_DOMAIN_UNPROVEN: 'domains' },
      }}
      onClose={onClose}
      onSubmit={async (values) => {
        await api.put(path, { ...values, domains: domainsOf(values.domains) })
        toast.success(t`Conta da empresa salva`)
        onSaved()
      }}
    >
      <Field label={<Trans>Endereço de retorno</Trans>} hint={<Trans>Cadastre-o no provedor, como está.</Trans>}>
        <div className="flex gap-2">
          <Input readOnly value={redirectUri} className="font-mono text-xs" />
          <CopyButton text={redirectUri} type="button">
            <Trans>Copiar</Trans>
          </CopyButton>
        </div>
      </Field>
      <Field label={<Trans>Emissor</Trans>} required error={errors.issuer?.message}>
        <Input autoComplete="off" inputMode="url" placeholder="https://login.empresa.com.br" {...register('issuer')} />
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={<Trans>ID do cliente</Trans>} required error={errors.clientId?.message}>
          <Input autoComplete="off" {...register('clientId')} />
        </Field>
        <Field label={<Trans>Segredo do cliente</Trans>} error={errors.secret?.message}>
          <Controller
            control={control}
            name="secret"
            render={({ field: { value, onChange, onBlur, ref } }) => (
              <SecretInput
                ref={ref}
                value={value}
                onChange={onChange}
                onBlur={onBlur}
                wasKept={Boolean(provider?.secret)}
              />
            )}
          />
        </Field>
      </div>
      <Field
        label={<Trans>Domínios de e-mail</Trans>}
        required
        hint={<Trans>Só e-mails destes domínios, depois de comprovados. Separe com vírgulas.</Trans>}
        error={errors.domains?.message}
      >
        <Input autoComplete="off" placeholder="empresa.com.br" {...register('domains')} />
      </Field>
      <Controller
        control={control}
        name="makesUsers"
        render={({ field: { value, onChange, ref } }) => (
          <Field
            inline
            label={<Trans>Criar o usuário de quem entra pela primeira vez</Trans>}
            hint={<Trans>Senão, só entra quem já é usuário com o mesmo e-mail.</Trans>}
          >
            <Switch ref={ref} checked={value} onCheckedChange={onChange} />
          </Field>
        )}
      />
      {makesUsers && (
        <Field label={<Trans>Papel de quem é criado</Trans>} error={errors.roleId?.message}>
          <SelectField
            control={control}
            name="roleId"
            options={[
              { value: null, label: t`Atendente` },
              ...roles.map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
        </Field>
      )}
      <RoleRulesEditor form={form} roles={roles} />
      <OnlyWayFields form={form} oidc={oidc} />
    </FormDialog>
  )
}
