import { Trans, useLingui } from '@lingui/react/macro'
import { EllipsisVertical, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { followed } from './followed.ts'
import { ConfirmDialog } from '../ui/alert-dialog.tsx'
import { Button } from '../ui/button.tsx'
import { DropdownMenu, DropdownMenuContent, DropdownMenuTrigger } from '../ui/dropdown-menu.tsx'
import { toast } from '../ui/toaster.tsx'
import { Tooltip } from '../ui/tooltip.tsx'
import { toastError } from '../session/failure.tsx'
import { type Action, ActionItem } from './more-actions.tsx'
import { narrowQuery, useMedia } from '../ui/use-media.ts'

/** A row is about what it says; its buttons keep to the background until they are wanted. */
const quiet = 'text-muted-foreground hover:text-foreground'

/** One of a row's actions. `name` says also of which row, for who does not see it. */
export type RowAction = Action & { name: string }

/**
 * What can be done with a row, at its end; what is left out is not offered. On a phone it is behind one button, with words,
 * so that the row has room for what it is about. `name` is the row's, for screen readers.
 */
export function RowActions({
  name,
  disabled,
  onEdit,
  onRemove,
  more = [],
  children,
}: {
  name: string
  disabled: boolean
  onEdit?: () => void
  onRemove?: () => void
  /** Before these two. */
  more?: readonly (RowAction | false)[]
  /** A button that a row keeps on a phone, too. */
  children?: ReactNode
}) {
  const { t } = useLingui()
  const narrow = useMedia(narrowQuery)
  const actions: RowAction[] = [
    ...more.filter((action) => action !== false),
    ...(onEdit ? [{ icon: Pencil, label: t`Editar`, name: t`Editar ${name}`, disabled, run: onEdit }] : []),
    ...(onRemove
      ? [{ icon: Trash2, label: t`Excluir`, name: t`Excluir ${name}`, disabled, destructive: true, run: onRemove }]
      : []),
  ]
  if (narrow) {
    return (
      <div className="flex justify-end">
        {children}
        <DropdownMenu>
          <DropdownMenuTrigger asChild>
            <Button variant="ghost" size="icon" className={quiet} aria-label={t`Ações de ${name}`}>
              <EllipsisVertical />
            </Button>
          </DropdownMenuTrigger>
          <DropdownMenuContent align="end">
            {actions.map((action) => (
              <ActionItem key={action.label} action={action} />
            ))}
          </DropdownMenuContent>
        </DropdownMenu>
      </div>
    )
  }
  return (
    <div className="flex justify-end gap-1">
      {children}
      {actions.map(({ icon: Icon, label, name: full, disabled: off, busy, destructive, run, link }) => (
        <Tooltip key={label} content={label}>
          {link ? (
            <Button variant="ghost" size="icon" className={quiet} asChild>
              {link({ children: <Icon />, 'aria-label': full })}
            </Button>
          ) : (
            <Button
              variant={destructive ? 'destructive-ghost' : 'ghost'}
              size="icon"
              className={destructive ? 'not-hover:text-muted-foreground' : quiet}
              disabled={off}
              busy={busy}
              aria-label={full}
              onClick={() => run?.()}
            >
              <Icon />
            </Button>
          )}
        </Tooltip>
      ))}
    </div>
  )
}

/**
 * What is open above a list of rows: the form of one (`null`: of a new one), or the question whether one is to go.
 * @param rows the list, which what is open follows
 */
export function useRowOverlay<Row extends { id: number | string }>(rows: readonly Row[] | null | undefined) {
  const [{ edited, removed }, setOverlay] = useState<{ edited?: Row | null; removed?: Row }>({})
  return {
    edited: edited && followed(rows, edited),
    removed: removed && followed(rows, removed),
    create: () => setOverlay({ edited: null }),
    edit: (row: Row) => setOverlay({ edited: row }),
    remove: (row: Row) => setOverlay({ removed: row }),
    close: () => setOverlay({}),
  }
}

/** Asks before deleting. Stays open when the server refuses, which a toast explains. */
export function RemoveDialog({
  name,
  children,
  uses,
  remove,
  onRemoved,
  onClose,
}: {
  name: string
  /** What else goes, or stays. */
  children: ReactNode
  /** Where it is used. */
  uses?: ReactNode
  remove: () => Promise<unknown>
  onRemoved: () => void
  onClose: () => void
}) {
  const { t } = useLingui()
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      destructive
      title={<Trans>Excluir {name}?</Trans>}
      confirmLabel={<Trans>Excluir</Trans>}
      onConfirm={() => succeeds(remove, t`${name}: excluído`, onRemoved, t`Não foi possível realizar a operação`)}
    >
      <p>
        <Trans>Deseja realmente excluir esse registro?</Trans> {children}
      </p>
      {uses}
    </ConfirmDialog>
  )
}

/** Does it and tells in a toast how it went. @param failed what is said above the reason when it did not go */
export async function succeeds(
  work: () => Promise<unknown>,
  done: string,
  then: () => void,
  failed?: string,
): Promise<boolean> {
  try {
    await work()
  } catch (error) {
    toastError(error, failed)
    return false
  }
  toast.success(done)
  then()
  return true
}
