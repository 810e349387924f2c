import type { ComponentProps } from 'react'
import { covers } from '../../schema/permissions.ts'
import { type Profile, profiles } from '../../schema/users/users.table.ts'
import { usePrincipal } from '../session/session.tsx'
import { Select } from '../ui/select.tsx'
import { useProfileNames } from '../users/users.words.ts'
import type { Role } from './roles.queries.ts'

export interface Placed {
  profile: Profile
  /** Null: the profile says what they may do. */
  roleId: number | null
}

/** One of our profiles, or of the company's roles. Nobody gives what they do not have. */
export function RoleSelect({
  value,
  had,
  roles,
  onChange,
  ...select
}: {
  value: Placed
  /** What they have already is offered, whoever looks. */
  had: Placed | null
  roles: readonly Role[]
  onChange: (next: Placed) => void
} & Pick<ComponentProps<typeof Select>, 'ref' | 'disabled' | 'aria-label' | 'className'>) {
  const who = usePrincipal()
  const profileNames = useProfileNames()
  return (
    <Select
      {...select}
      value={value.roleId === null ? value.profile : `role:${value.roleId}`}
      onChange={(next) => {
        const role = roles.find(({ id }) => next === `role:${id}`)
        onChange(role ? { profile: 'user', roleId: role.id } : { profile: next as Profile, roleId: null })
      }}
      options={[
        ...profiles.map((profile) => ({
          ...{ value: profile as string, label: profileNames[profile] },
          disabled: profile !== had?.profile && !covers(who, { profile }),
        })),
        ...roles.map((role) => ({
          ...{ value: `role:${role.id}`, label: role.name },
          disabled: role.id !== had?.roleId && !covers(who, { profile: 'user', role }),
        })),
      ]}
    />
  )
}
