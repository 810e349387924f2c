import { Trans, useLingui } from '@lingui/react/macro'
import { Check, ListTodo, Pencil, Plus, Trash2, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { newId } from '../../schema/ids.ts'
import { firstScreenShown } from '../base/late.tsx'
import { keys, local } from '../base/local.ts'
import { useUser } from '../session/session.tsx'
import { dateText } from '../i18n/dates.ts'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Input } from '../ui/input.tsx'
import { Page, PageCard } from '../ui/page.tsx'
import { added, changed, longestTask, read, type Task, without } from './todo.tasks.ts'

/** The person's tasks, as this browser keeps them; other tabs are heard. */
function useTasks() {
  const key = `${keys.tasks}${useUser().id}`
  const [tasks, setTasks] = useState(() => read(local.get(key)))
  useEffect(() => {
    const onStorage = (event: StorageEvent) => event.key === key && setTasks(read(event.newValue))
    window.addEventListener('storage', onStorage)
    return () => window.removeEventListener('storage', onStorage)
  }, [key])
  const change = (next: (tasks: readonly Task[]) => readonly Task[]) => {
    // Another tab may have written meanwhile.
    const kept = local.get(key)
    const after = next(kept === null ? tasks : read(kept))
    if (after.length > 0) local.set(key, JSON.stringify(after))
    else local.remove(key)
    setTasks(after)
  }
  return [tasks, change] as const
}

/** What a person means to do. It never leaves the browser. */
export default function TodoScreen() {
  const { t } = useLingui()
  const [tasks, change] = useTasks()
  const [text, setText] = useState('')
  const [editing, setEditing] = useState<string | null>(null)
  useEffect(firstScreenShown, [])
  return (
    <Page
      title={t`Tarefas`}
      description={<Trans>Só você as vê. Elas ficam neste navegador, e em nenhum outro lugar.</Trans>}
    >
      <div className="flex max-w-2xl flex-col gap-4">
        <form
          className="flex gap-2"
          onSubmit={(event) => {
            event.preventDefault()
            change((list) => added(list, text, { id: newId(), now: Date.now() }))
            setText('')
          }}
        >
          <div className="min-w-0 flex-1">
            <Input
              autoFocus
              autoComplete="off"
              maxLength={longestTask}
              value={text}
              aria-label={t`Nova tarefa`}
              placeholder={t`Nova tarefa`}
              onChange={(event) => setText(event.target.value)}
            />
          </div>
          <Button type="submit">
            <Plus />
            <Trans>Adicionar</Trans>
          </Button>
        </form>
        <PageCard>
          {tasks.length === 0 ? (
            <EmptyState icon={ListTodo} title={<Trans>Nada a fazer</Trans>}>
              <Trans>Escreva acima o que você não quer esquecer.</Trans>
            </EmptyState>
          ) : (
            <ul aria-label={t`Tarefas`} className="divide-y">
              {tasks.map((task) => (
                <li key={task.id} className="px-4 py-2.5">
                  {editing === task.id ? (
                    <Editing
                      task={task}
                      onDone={(words) => {
                        if (words !== null) change((list) => changed(list, task.id, words, Date.now()))
                        setEditing(null)
                      }}
                    />
                  ) : (
                    <Line
                      task={task}
                      onEdit={() => setEditing(task.id)}
                      onRemove={() => change((list) => without(list, task.id))}
                    />
                  )}
                </li>
              ))}
            </ul>
          )}
        </PageCard>
      </div>
    </Page>
  )
}

function Line({ task, onEdit, onRemove }: { task: Task; onEdit: () => void; onRemove: () => void }) {
  const { t, i18n } = useLingui()
  const { text, createdAt, updatedAt } = task
  const at = dateText(i18n.locale, new Date(updatedAt), 'moment')
  return (
    <div className="flex items-center gap-2">
      <div className="min-w-0 flex-1">
        <p className="text-sm break-words">{text}</p>
        <p className="text-xs text-muted-foreground tabular-nums">
          {updatedAt > createdAt ? <Trans>Mudada em {at}</Trans> : at}
        </p>
      </div>
      <Button
        variant="ghost"
        size="icon"
        className="text-muted-foreground"
        aria-label={t`Editar ${text}`}
        onClick={onEdit}
      >
        <Pencil />
      </Button>
      <Button variant="destructive-ghost" size="icon" aria-label={t`Excluir ${text}`} onClick={onRemove}>
        <Trash2 />
      </Button>
    </div>
  )
}

function Editing({ task, onDone }: { task: Task; onDone: (text: string | null) => void }) {
  const { t } = useLingui()
  const [text, setText] = useState(task.text)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.select(), [])
  return (
    <form
      className="flex items-center gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        onDone(text)
      }}
    >
      <div className="min-w-0 flex-1">
        <Input
          ref={field}
          autoFocus
          autoComplete="off"
          maxLength={longestTask}
          value={text}
          aria-label={t`Tarefa`}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return
            event.stopPropagation()
            onDone(null)
          }}
        />
      </div>
      <Button type="submit" size="icon" aria-label={t`Salvar`}>
        <Check />
      </Button>
      <Button variant="ghost" size="icon" aria-label={t`Cancelar`} onClick={() => onDone(null)}>
        <X />
      </Button>
    </form>
  )
}
