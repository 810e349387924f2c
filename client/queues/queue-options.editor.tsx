import { Trans, useLingui } from '@lingui/react/macro'
import { ChevronDown, ChevronUp, GripVertical, ListTree, Paperclip, Pencil, Plus, Trash2 } from 'lucide-react'
import { useLayoutEffect, useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { useForm } from 'react-hook-form'
import { queueOptionInput } from '../../schema/queues/queue-options.inputs.ts'
import type { QueueOptionInput } from '../../schema/queues/queue-options.inputs.ts'
import { below, branch, DEEPEST, MOST_BESIDE, numbered } from '../../schema/queues/queue-options.tree.ts'
import { errorText } from '../session/error-text.ts'
import { toastError } from '../session/failure.tsx'
import { FileField, useOwnFile } from '../kit/file-field.tsx'
import { FormDialog, schemaResolver } from '../kit/form.tsx'
import { RemoveDialog } from '../kit/row-actions.tsx'
import { Button } from '../ui/button.tsx'
import { cn } from '../ui/cn.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Textarea } from '../ui/textarea.tsx'
import { queueOptions, useQueueOptions } from './queue-options.queries.ts'
import type { QueueOption } from './queue-options.queries.ts'
import { TrialChat } from './queue-options.trial.tsx'

type Open = { edited: QueueOption } | { below: number | null } | { removed: QueueOption } | null

/** The chatbot of a queue: what contacts can choose, level by level. Each change is stored at once. */
export function OptionTree({
  queue,
}: {
  queue: { id: number; name: string; greetingMessage: string; fileName: string | null }
}) {
  const { t } = useLingui()
  const tree = useQueueOptions(queue.id)
  const [open, setOpen] = useState<Open>(null)
  const [dragged, setDragged] = useState<QueueOption | null>(null)
  const [said, setSaid] = useState('')
  const lastMove = useRef<Promise<unknown>>(Promise.resolve())
  const { data: options, error } = tree
  // A move is drawn a moment after the key: the next key must count from it all the same.
  const latest = useRef<QueueOption[]>([])
  useLayoutEffect(() => {
    latest.current = options ?? []
  }, [options])

  if (!options) {
    if (error && !tree.loading) return <ErrorState onRetry={tree.reload}>{errorText(error)}</ErrorState>
    return (
      <div role="status" aria-busy="true" aria-label={t`Carregando…`} className="flex flex-col gap-2">
        <Skeleton className="h-10" />
        <Skeleton className="h-10" />
      </div>
    )
  }

  /**
   * Shown at once, taken back when the server refuses it. Of several the server hears one after the other, or it might
   * take them in another order.
   * @param placeAfter the number that it gets, from the one that it has
   */
  const move = async ({ id, parentId, title }: QueueOption, placeAfter: (from: number) => number) => {
    const level = below(latest.current, parentId)
    // It may have come to another place while it was dragged.
    const from = level.find((o) => o.id === id)?.option
    if (from === undefined) return
    const option = placeAfter(from)
    if (option < 1 || option > level.length || option === from) return
    const put = (to: number) => (rows: QueueOption[]) => {
      const numbers = new Map(numbered(below(rows, parentId), id, to).map((o) => [o.id, o.option]))
      return rows.map((o) => ({ ...o, option: numbers.get(o.id) ?? o.option }))
    }
    latest.current = put(option)(latest.current)
    setSaid(t`${title}: agora é a opção ${option}`)
    const saving = lastMove.current.then(() => queueOptions.update(id, { option }))
    lastMove.current = saving.catch(() => undefined)
    await tree.patchWhile(saving, put(option), put(from)).catch(toastError)
  }
  const step = (row: QueueOption, by: 1 | -1) => void move(row, (from) => from + by)
  const byKey = (event: KeyboardEvent, row: QueueOption) => {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
    event.preventDefault()
    step(row, event.key === 'ArrowUp' ? -1 : 1)
  }

  const level = (parentId: number | null, depth: number) => {
    const rows = below(options, parentId)
    return (
      <ol className={cn('flex flex-col gap-1.5', depth > 0 && 'mt-1.5 ml-3 border-l pl-3 sm:ml-4 sm:pl-4')}>
        {rows.map((row) => {
          const { id, option, title } = row
          const isTarget = dragged !== null && dragged.id !== id && dragged.parentId === parentId
          return (
            <li key={id}>
              <div
                className={cn(
                  'group flex items-center gap-x-1 rounded-md border bg-card py-1 pr-1 pl-0.5 max-sm:flex-wrap max-sm:pt-2',
                  dragged?.id === id && 'opacity-50',
                  isTarget && 'border-dashed border-primary',
                )}
                onDragOver={(event) => isTarget && event.preventDefault()}
                onDrop={(event) => {
                  event.preventDefault()
                  if (isTarget) void move(dragged, () => option)
                  setDragged(null)
                }}
              >
                <button
                  type="button"
                  draggable
                  className="focus-ring flex size-7 shrink-0 cursor-grab items-center justify-center rounded-sm text-muted-foreground max-sm:hidden"
                  aria-label={t`Mover ${title}: setas para cima e para baixo`}
                  onKeyDown={(event) => byKey(event, row)}
                  onDragStart={(event) => {
                    event.dataTransfer.effectAllowed = 'move'
                    event.dataTransfer.setData('text/plain', title)
                    setDragged(row)
                  }}
                  onDragEnd={() => setDragged(null)}
                >
                  <GripVertical aria-hidden="true" className="size-4" />
                </button>
                <span className="w-6 shrink-0 text-center text-sm font-semibold text-muted-foreground tabular-nums">
                  {option}
                </span>
                <span className="min-w-0 flex-1 truncate text-sm font-medium">{title}</span>
                {row.mediaName !== null && (
                  <Paperclip role="img" aria-label={t`Com arquivo`} className="size-4 shrink-0 text-muted-foreground" />
                )}
                <div className="flex items-center gap-1 max-sm:w-full max-sm:justify-end">
                  <Icon label={t`Subir ${title}`} off={option === 1} className="sm:hidden" on={() => step(row, -1)}>
                    <ChevronUp />
                  </Icon>
                  <Icon
                    label={t`Descer ${title}`}
                    off={option === rows.length}
                    className="sm:hidden"
                    on={() => step(row, 1)}
                  >
                    <ChevronDown />
                  </Icon>
                  {depth + 1 < DEEPEST && (
                    <Icon label={t`Adicionar abaixo de ${title}`} on={() => setOpen({ below: id })}>
                      <Plus />
                    </Icon>
                  )}
                  <Icon label={t`Editar ${title}`} on={() => setOpen({ edited: row })}>
                    <Pencil />
                  </Icon>
                  <Icon label={t`Excluir ${title}`} on={() => setOpen({ removed: row })}>
                    <Trash2 />
                  </Icon>
                </div>
              </div>
              {level(id, depth + 1)}
            </li>
          )
        })}
      </ol>
    )
  }
  const add = (
    <Button
      variant="outline"
      size="sm"
      disabled={below(options, null).length >= MOST_BESIDE}
      onClick={() => setOpen({ below: null })}
    >
      <Plus />
      <Trans>Adicionar opção</Trans>
    </Button>
  )
  const close = () => setOpen(null)
  return (
    <div className="grid gap-5 md:grid-cols-[minmax(0,1fr)_18rem]">
      <div className="flex min-w-0 flex-col items-start gap-3">
        {options.length === 0 ? (
          <EmptyState icon={ListTree} title={<Trans>Nenhuma opção</Trans>} action={add}>
            <Trans>Com opções, o robô da fila pergunta o assunto e responde antes de alguém atender.</Trans>
          </EmptyState>
        ) : (
          <>
            <div className="w-full">{level(null, 0)}</div>
            {add}
          </>
        )}
        <p className="text-xs text-muted-foreground">
          <Trans>As opções são salvas a cada mudança: os botões abaixo valem para o resto da fila.</Trans>
        </p>
        <p role="status" className="sr-only">
          {said}
        </p>
      </div>
      <TrialChat queue={queue} options={options} />
      {open && 'edited' in open && (
        <OptionDialog option={open.edited} queueId={queue.id} parent={null} onClose={close} onSaved={tree.reload} />
      )}
      {open && 'below' in open && (
        <OptionDialog
          option={null}
          queueId={queue.id}
          parent={options.find(({ id }) => id === open.below) ?? null}
          onClose={close}
          onSaved={tree.reload}
        />
      )}
      {open && 'removed' in open && (
        <RemoveDialog
          name={open.removed.title}
          remove={() => queueOptions.remove(open.removed.id)}
          onRemoved={tree.reload}
          onClose={close}
        >
          {branch(options, open.removed.id).length > 1 && <Trans>O que está abaixo dela vai junto.</Trans>}
        </RemoveDialog>
      )}
    </div>
  )
}

function Icon({
  label,
  off = false,
  className,
  on,
  children,
}: {
  label: string
  off?: boolean
  className?: string
  on: () => void
  children: React.ReactNode
}) {
  return (
    <Button
      variant="ghost"
      size="icon-sm"
      disabled={off}
      className={cn('text-muted-foreground hover:text-foreground', className)}
      aria-label={label}
      title={label}
      onClick={on}
    >
      {children}
    </Button>
  )
}

/** Adds (`option` null) or edits an option, with its file. */
function OptionDialog({
  option,
  queueId,
  parent,
  onClose,
  onSaved,
}: {
  option: QueueOption | null
  queueId: number
  /** Under which a new one stands; null at the top. */
  parent: QueueOption | null
  onClose: () => void
  onSaved: () => void
}) {
  const { t } = useLingui()
  const file = useOwnFile(option?.mediaName ?? null)
  // Once a new one is stored, another attempt only repeats the upload that failed.
  const [storedId, setStoredId] = useState(option?.id ?? null)
  const form = useForm<QueueOptionInput>({
    defaultValues: { title: option?.title ?? '', message: option?.message ?? '' },
    resolver: schemaResolver(queueOptionInput),
  })
  const {
    register,
    formState: { errors },
  } = form
  const above = parent?.title
  return (
    <FormDialog
      onClose={onClose}
      title={option ? t`Editar opção` : above === undefined ? t`Adicionar opção` : t`Adicionar abaixo de ${above}`}
      form={form}
      onSubmit={async (values) => {
        let id = storedId
        if (id === null) {
          id = (await queueOptions.create({ ...values, queueId, parentId: parent?.id ?? null })).id
          setStoredId(id)
        } else await queueOptions.update(id, values)
        const stored = id
        onSaved()
        await file.save({
          attach: (chosen) => queueOptions.attach(stored, chosen),
          detach: () => queueOptions.detach(stored),
        })
        onSaved()
      }}
    >
      <Field
        label={<Trans>Título</Trans>}
        required
        hint={<Trans>A linha do menu que o contato lê ao lado do número.</Trans>}
        error={errors.title?.message}
      >
        <Input autoFocus autoComplete="off" {...register('title')} />
      </Field>
      <Field
        label={<Trans>Mensagem</Trans>}
        hint={<Trans>Enviada a quem escolhe a opção, acima das opções abaixo dela.</Trans>}
        error={errors.message?.message}
      >
        <Textarea rows={4} maxRows={10} {...register('message')} />
      </Field>
      <FileField file={file} testId="option-file" />
    </FormDialog>
  )
}
