import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { TriangleAlert } from 'lucide-react'
import type { Use, UsedNoun, Uses } from '../../schema/uses/uses.ts'
import { FailureText } from '../session/failure.tsx'
import { useFetched } from '../session/fetched.ts'
import { Skeleton } from '../ui/skeleton.tsx'
import { becomingTexts, placeNames } from './uses.words.ts'

/** Where it is used, and what becomes of those places: in the question whether it is to be deleted. */
export function UsesList({ noun, id }: { noun: UsedNoun; id: number }) {
  const { i18n } = useLingui()
  const { data, error } = useFetched<Uses>(`/uses/${noun}/${id}`)
  if (error)
    return (
      <p className="mt-3" role="alert">
        <Trans>Não foi possível ver onde é usado.</Trans> <FailureText error={error} />
      </p>
    )
  if (!data)
    return (
      <div className="mt-3 space-y-2" role="status">
        <span className="sr-only">
          <Trans>Vendo onde é usado…</Trans>
        </span>
        <Skeleton className="h-4 w-2/3" />
        <Skeleton className="h-4 w-1/2" />
      </div>
    )
  const { uses, others } = data
  if (uses.length === 0 && others === 0)
    return (
      <p className="mt-3" role="status">
        <Trans>Não é usado em nenhum outro lugar.</Trans>
      </p>
    )
  const groups = [...Map.groupBy(uses, ({ kind, becomes }) => `${kind} ${becomes}`).values()]
  return (
    <div
      className="mt-3 max-h-[45dvh] overflow-y-auto rounded-lg border border-warning/40 bg-warning-soft/40 p-3"
      role="status"
    >
      <p className="flex items-center gap-2 font-medium text-foreground">
        <TriangleAlert aria-hidden="true" className="size-4 shrink-0 text-warning" />
        <Trans>Onde é usado, e o que acontece</Trans>
      </p>
      <ul className="mt-2 space-y-2 wrap-anywhere">
        {groups.map((group) => {
          const { kind, becomes } = group[0]!
          return (
            <li key={`${kind} ${becomes}`}>
              <span className="text-foreground">
                <strong className="font-medium">
                  {i18n._(placeNames[kind])}
                  {namesOf(group) && ':'}
                </strong>{' '}
                {namesOf(group)}
              </span>
              <br />
              {i18n._(becomingTexts[becomes])}
            </li>
          )
        })}
        {others > 0 && (
          <li>
            <Plural value={others} one="Em # outro lugar" other="Em # outros lugares" />
          </li>
        )}
      </ul>
    </div>
  )
}

const namesOf = (group: readonly Use[]): string => group.map(({ name }) => name).join(', ')
