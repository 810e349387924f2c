import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { MailPlus, Plus, SearchX, ShieldCheck, UserRoundCheck, UserRoundX, Users } from 'lucide-react'
import { Suspense, useState } from 'react'
import { onDemand } from '../base/late.tsx'
import { isAway } from '../../schema/assignment/assignment.presence.ts'
import { marksAway } from '../../schema/permissions.ts'
import { useNow } from '../base/now.ts'
import { DataList, useReadOnly } from '../kit/data-list.tsx'
import { toastError } from '../session/failure.tsx'
import { RemoveDialog, RowActions, useRowOverlay } from '../kit/row-actions.tsx'
import { SearchInput, useSearchText } from '../kit/search-input.tsx'
import { whenText } from '../session/moment-text.ts'
import { perform } from '../session/perform.ts'
import { useCan, usePrincipal, useUser } from '../session/session.tsx'
import { useUsers as useColleagues } from '../replica/directory.ts'
import { useReplica } from '../replica/replica.tsx'
import { Avatar } from '../ui/avatar.tsx'
import { Badge, ColorTag } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Page } from '../ui/page.tsx'
import { UsesList } from '../uses/uses.list.tsx'
import { usePlanRoom } from '../plans/plans.room.tsx'
import { useRoles } from '../roles/roles.queries.ts'
import { InvitationDialog, type Invited } from '../kit/invitation.tsx'
import { UserDialog } from './users.dialog.tsx'
import { users, useUsers } from './users.queries.ts'
import type { User } from './users.queries.ts'
import { useProfileNames } from './users.words.ts'

const AwayDialog = onDemand(() => import('../account/away-dialog.tsx'))

export default function UsersScreen() {
  const { t } = useLingui()
  const me = useUser()
  const mayWrite = useCan('users:write')
  const mayMark = marksAway(usePrincipal())
  const mayWriteRoles = useCan('roles:write')
  const profileNames = useProfileNames()
  const roles = useRoles(mayWrite).data ?? []
  const { search, setSearch, settled } = useSearchText()
  const source = useUsers(settled)
  const offline = useReadOnly(source)
  const { edited, removed, create, edit, remove, close } = useRowOverlay<User>(source.data)

  const [invited, setInvited] = useState<Invited | null>(null)
  const { whereRoom, full } = usePlanRoom('users')
  const add = mayWrite && (
    <Button disabled={offline} onClick={() => whereRoom(create)}>
      <Plus />
      <Trans>Adicionar usuário</Trans>
    </Button>
  )
  const profile = (user: User) => (
    <Badge tone={user.profile === 'user' && !user.roleId ? 'neutral' : 'primary'}>
      {roles.find(({ id }) => id === user.roleId)?.name ?? profileNames[user.profile]}
    </Badge>
  )
  const queues = (user: User) =>
    user.queues.length > 0 && (
      <span className="flex flex-wrap gap-x-3 gap-y-1">
        {user.queues.map((queue) => (
          <ColorTag key={queue.id} color={queue.color}>
            {queue.name}
          </ColorTag>
        ))}
      </span>
    )
  const [inviting, setInviting] = useState<number | null>(null)
  const inviteAgain = async ({ id, name, email }: User) => {
    setInviting(id)
    try {
      setInvited({ ...(await users.inviteAgain(id)), name, email })
    } catch (error) {
      toastError(error)
      // They may have come in meanwhile.
      source.reload()
    } finally {
      setInviting(null)
    }
  }
  const replica = useReplica()
  const now = useNow()
  const colleagues = useColleagues().byId
  const [leaving, setLeaving] = useState<User | null>(null)
  // Of the replica: what is said of somebody is seen at once, and goes without a network, too.
  const isOut = ({ id }: User) => {
    const colleague = colleagues.get(id)
    return colleague !== undefined && isAway(colleague, now)
  }
  const outText = ({ id }: User) => {
    const until = colleagues.get(id)?.awayUntil ?? null
    const returnsAt = until === null ? null : whenText(new Date(until))
    return returnsAt === null ? t`Ausente` : t`Ausente, volta ${returnsAt}`
  }
  const states = (user: User) => (
    <>
      {user.invited && <Badge tone="warning">{t`Convidado, ainda não entrou`}</Badge>}
      {isOut(user) && <Badge tone="warning">{outText(user)}</Badge>}
    </>
  )
  const actions = (user: User) => (
    <RowActions
      name={user.name}
      disabled={offline}
      onEdit={() => edit(user)}
      more={[
        user.invited === true && {
          ...{ icon: MailPlus, label: t`Convidar de novo`, name: t`Convidar ${user.name} de novo` },
          ...{ disabled: offline || inviting === user.id, run: () => void inviteAgain(user) },
        },
        mayMark &&
          colleagues.has(user.id) &&
          (isOut(user)
            ? {
                ...{ icon: UserRoundCheck, label: t`Marcar como de volta`, name: t`Marcar ${user.name} como de volta` },
                run: () => void perform(replica, 'users.setAway', { userId: user.id, away: false }),
              }
            : {
                ...{ icon: UserRoundX, label: t`Marcar como ausente…`, name: t`Marcar ${user.name} como ausente` },
                run: () => setLeaving(user),
              }),
      ]}
      onRemove={user.id === me.id ? undefined : () => remove(user)}
    />
  )

  return (
    <Page
      title={t`Usuários`}
      actions={
        <>
          {mayWriteRoles && (
            <Button asChild variant="outline">
              <Link to="/roles">
                <ShieldCheck />
                <Trans>Papéis</Trans>
              </Link>
            </Button>
          )}
          {add}
        </>
      }
      toolbar={<SearchInput value={search} onChange={setSearch} label={t`Buscar por nome ou e-mail`} />}
    >
      <DataList
        label={t`Usuários`}
        source={source}
        empty={
          search ? (
            <EmptyState icon={SearchX} title={<Trans>Ninguém encontrado</Trans>}>
              <Trans>Nenhum usuário tem “{search}” no nome ou no e-mail.</Trans>
            </EmptyState>
          ) : (
            <EmptyState icon={Users} title={<Trans>Nenhum usuário</Trans>} action={add}>
              <Trans>Adicione quem atende e quem administra.</Trans>
            </EmptyState>
          )
        }
        columns={[
          {
            id: 'id',
            header: <Trans>ID</Trans>,
            cell: (user) => user.id,
            className: 'w-16 text-muted-foreground tabular-nums',
          },
          {
            id: 'name',
            header: <Trans>Nome</Trans>,
            cell: (user) => (
              <span className="flex items-center gap-2.5">
                <Avatar name={user.name} size="sm" />
                <span className="flex flex-col items-start gap-1">
                  <span className="font-medium">{user.name}</span>
                  {states(user)}
                </span>
              </span>
            ),
            className: 'wrap-anywhere',
          },
          { id: 'email', header: <Trans>E-mail</Trans>, cell: (user) => user.email, className: 'wrap-anywhere' },
          { id: 'profile', header: <Trans>Perfil</Trans>, cell: profile },
          { id: 'queues', header: <Trans>Filas</Trans>, cell: queues, className: 'max-lg:hidden' },
          ...(mayWrite ? [{ id: 'actions', header: <span className="sr-only">{t`Ações`}</span>, cell: actions }] : []),
        ]}
        card={(user) => (
          <div className="flex items-start gap-3">
            <Avatar name={user.name} />
            <div className="flex min-w-0 flex-1 flex-col items-start gap-1">
              <p className="w-full truncate font-medium">{user.name}</p>
              <p className="w-full truncate text-sm text-muted-foreground">{user.email}</p>
              <div className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1">
                {profile(user)}
                {states(user)}
                {queues(user)}
              </div>
            </div>
            {mayWrite && <div className="-mt-2 -mr-2">{actions(user)}</div>}
          </div>
        )}
      />
      {full}
      {edited !== undefined && (
        <UserDialog
          user={edited}
          onClose={close}
          onSaved={(saved, somebody) => {
            source.saved(saved)
            if (somebody) setInvited(somebody)
          }}
        />
      )}
      <Suspense fallback={null}>
        {leaving && <AwayDialog colleague={leaving} onClose={() => setLeaving(null)} />}
      </Suspense>
      {invited && <InvitationDialog of={invited} onClose={() => setInvited(null)} />}
      {removed && (
        <RemoveDialog
          name={removed.name}
          uses={<UsesList noun="user" id={removed.id} />}
          remove={() => users.remove(removed.id)}
          onRemoved={source.reload}
          onClose={close}
        >
          <Trans>Os atendimentos abertos desta pessoa voltam a aguardar na fila.</Trans>
        </RemoveDialog>
      )}
    </Page>
  )
}
