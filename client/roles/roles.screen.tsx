import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { ArrowLeft, Check, Copy, Plus, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { hidesNumbers } from '../../schema/contacts/contacts.masking.ts'
import { can, covers, grantable, type Rights, scopeOf } from '../../schema/permissions.ts'
import type { RoleInput } from '../../schema/roles/roles.inputs.ts'
import { profiles } from '../../schema/users/users.table.ts'
import { DataList, useReadOnly } from '../kit/data-list.tsx'
import { RemoveDialog, RowActions, useRowOverlay } from '../kit/row-actions.tsx'
import { usePrincipal } from '../session/session.tsx'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Page, PageCard } from '../ui/page.tsx'
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '../ui/table.tsx'
import { Tooltip } from '../ui/tooltip.tsx'
import { useProfileNames } from '../users/users.words.ts'
import { RoleDialog } from './roles.dialog.tsx'
import { type Role, roles, useRoles } from './roles.queries.ts'
import { type GrantablePermission, permissionGroups, useRoleWords } from './roles.words.ts'

/** The roles that admins have put together, and what each of them and of the three profiles may do. */
export default function RolesScreen() {
  const { t } = useLingui()
  const me = usePrincipal()
  const words = useRoleWords()
  const source = useRoles()
  const offline = useReadOnly({})
  const { edited, removed, create, edit, remove, close } = useRowOverlay<Role>(source.data)
  const [like, setLike] = useState<RoleInput | null>(null)

  const duplicate = (name: string, rights: Rights) => {
    setLike({
      name: t`${name} (cópia)`,
      permissions: grantable.filter((permission) => can(rights, permission)),
      ticketScope: scopeOf(rights),
      maskNumbers: hidesNumbers(rights),
    })
    create()
  }
  const rightsOf = (role: Role): Rights => ({ profile: 'user', role })
  const add = (
    <Button
      disabled={offline}
      onClick={() => {
        setLike(null)
        create()
      }}
    >
      <Plus />
      <Trans>Adicionar papel</Trans>
    </Button>
  )
  const people = ({ people: named, users }: Role) =>
    users === 0 ? (
      <span className="text-muted-foreground">
        <Trans>Ninguém</Trans>
      </span>
    ) : (
      <span className="wrap-anywhere">
        {named
          .slice(0, 3)
          .map(({ name }) => name)
          .join(', ')}
        {users > 3 && (
          <>
            {' '}
            <Plural value={users - 3} one="e mais #" other="e mais #" />
          </>
        )}
      </span>
    )
  const count = ({ permissions, maskNumbers }: Role) => (
    <>
      <Plural value={permissions.length} one="# permissão" other="# permissões" />
      {maskNumbers && (
        <>
          {' '}
          · <Trans>números ocultos</Trans>
        </>
      )}
    </>
  )
  const actions = (role: Role) => {
    // What has more than one has oneself is neither changed nor given on.
    const mine = covers(me, rightsOf(role))
    const { name } = role
    return (
      <RowActions
        name={name}
        disabled={offline || !mine}
        onEdit={() => edit(role)}
        onRemove={() => remove(role)}
        more={[
          {
            ...{ icon: Copy, label: t`Duplicar`, name: t`Duplicar ${name}`, disabled: offline || !mine },
            run: () => duplicate(name, rightsOf(role)),
          },
        ]}
      />
    )
  }
  return (
    <Page
      title={t`Papéis`}
      description={<Trans>Um papel diz o que algumas pessoas podem, no lugar do perfil.</Trans>}
      actions={
        <>
          <Button asChild variant="outline">
            <Link to="/users">
              <ArrowLeft />
              <Trans>Usuários</Trans>
            </Link>
          </Button>
          {add}
        </>
      }
    >
      <div className="flex flex-col gap-6">
        <DataList
          label={t`Papéis`}
          source={source}
          empty={
            <EmptyState icon={ShieldCheck} title={<Trans>Nenhum papel ainda</Trans>} action={add}>
              <Trans>Administrador, supervisor e atendente já bastam para começar.</Trans>
            </EmptyState>
          }
          columns={[
            {
              id: 'name',
              header: <Trans>Nome</Trans>,
              cell: ({ name }) => <span className="font-medium">{name}</span>,
              className: 'wrap-anywhere',
            },
            {
              id: 'scope',
              header: <Trans>Atendimentos que vê</Trans>,
              cell: ({ ticketScope }) => words.scopes[ticketScope],
            },
            { id: 'permissions', header: <Trans>Permissões</Trans>, cell: count },
            { id: 'people', header: <Trans>Quem tem</Trans>, cell: people },
            { id: 'actions', header: <span className="sr-only">{t`Ações`}</span>, cell: actions },
          ]}
          card={(role) => (
            <div className="flex items-start gap-3">
              <div className="flex min-w-0 flex-1 flex-col gap-1 text-sm">
                <p className="font-medium wrap-anywhere">{role.name}</p>
                <p className="text-muted-foreground">
                  {words.scopes[role.ticketScope]} · {count(role)}
                </p>
                <p>{people(role)}</p>
              </div>
              <div className="-mt-2 -mr-2">{actions(role)}</div>
            </div>
          )}
        />
        <Comparison roles={source.data ?? []} disabled={offline} onDuplicate={duplicate} />
      </div>
      {edited !== undefined && (
        <RoleDialog
          role={edited}
          like={like}
          onClose={() => {
            setLike(null)
            close()
          }}
          onSaved={source.reload}
        />
      )}
      {removed && (
        <RemoveDialog
          name={removed.name}
          remove={() => roles.remove(removed.id)}
          onRemoved={source.reload}
          onClose={close}
        >
          <Trans>Só um papel que ninguém tem pode ser excluído.</Trans>
        </RemoveDialog>
      )}
    </Page>
  )
}

/** Every permission, and who has it: the three profiles, which stay as they are, and the company's roles. */
function Comparison({
  roles: own,
  disabled,
  onDuplicate,
}: {
  roles: readonly Role[]
  disabled: boolean
  onDuplicate: (name: string, rights: Rights) => void
}) {
  const { t } = useLingui()
  const me = usePrincipal()
  const words = useRoleWords()
  const profileNames = useProfileNames()
  const builtIn = [...profiles].reverse().map((profile) => ({
    ...{ id: profile, name: profileNames[profile], rights: { profile } as Rights, fixed: true },
  }))
  const columns = [
    ...builtIn,
    ...own.map((role) => ({
      ...{ id: String(role.id), name: role.name, rights: { profile: 'user', role } as Rights, fixed: false },
    })),
  ]
  const mark = (has: boolean) =>
    has ? (
      <Check role="img" aria-label={t`Sim`} className="mx-auto size-4 text-success" />
    ) : (
      <span aria-label={t`Não`}>–</span>
    )
  return (
    <section aria-labelledby="roles-comparison" className="flex flex-col gap-3">
      <h2 id="roles-comparison" className="text-sm font-semibold">
        <Trans>O que cada um pode</Trans>
      </h2>
      <PageCard>
        <Table aria-labelledby="roles-comparison">
          <TableHead>
            <TableRow>
              <TableHeader>
                <Trans>Permissão</Trans>
              </TableHeader>
              {columns.map(({ id, name, rights, fixed }) => (
                <TableHeader key={id} className="text-center">
                  <span className="inline-flex items-center gap-1">
                    {name}
                    {fixed && covers(me, rights) && (
                      <Tooltip content={t`Criar um papel a partir deste`}>
                        <Button
                          variant="ghost"
                          size="icon-sm"
                          disabled={disabled}
                          aria-label={t`Criar um papel a partir de ${name}`}
                          onClick={() => onDuplicate(name, rights)}
                        >
                          <Copy />
                        </Button>
                      </Tooltip>
                    )}
                  </span>
                </TableHeader>
              ))}
            </TableRow>
          </TableHead>
          <TableBody>
            <TableRow>
              <TableHeader scope="row" className="text-left font-normal whitespace-normal">
                <Trans>Atendimentos que vê</Trans>
              </TableHeader>
              {columns.map(({ id, rights }) => (
                <TableCell key={id} className="min-w-28 text-center text-xs">
                  {words.scopes[scopeOf(rights)]}
                </TableCell>
              ))}
            </TableRow>
            {permissionGroups.map((group) => (
              <Group key={group} group={group} columns={columns} mark={mark} />
            ))}
          </TableBody>
        </Table>
      </PageCard>
    </section>
  )
}

function Group({
  group,
  columns,
  mark,
}: {
  group: (typeof permissionGroups)[number]
  columns: readonly { id: string; rights: Rights }[]
  mark: (has: boolean) => React.ReactNode
}) {
  const words = useRoleWords()
  return (
    <>
      <TableRow>
        <TableHeader
          scope="colgroup"
          colSpan={columns.length + 1}
          className="bg-muted/50 text-left text-xs text-muted-foreground"
        >
          {words.groups[group]}
        </TableHeader>
      </TableRow>
      {(grantable as GrantablePermission[])
        .filter((name) => words.permissions[name].group === group)
        .map((name) => (
          <TableRow key={name}>
            <TableHeader scope="row" className="min-w-48 text-left font-normal whitespace-normal">
              {words.permissions[name].label}
            </TableHeader>
            {columns.map(({ id, rights }) => (
              <TableCell key={id} className="text-center text-muted-foreground">
                {mark(can(rights, name))}
              </TableCell>
            ))}
          </TableRow>
        ))}
    </>
  )
}
