/** A task that a person keeps for themselves; moments in milliseconds since 1970. */
export interface Task {
  id: string
  text: string
  createdAt: number
  updatedAt: number
}

/** More than anybody does; a browser keeps little. */
export const mostTasks = 500
export const longestTask = 500

const wordsOf = (text: string) => text.trim().slice(0, longestTask)

/** The newest first. An empty text is no task. */
export function added(tasks: readonly Task[], text: string, { id, now }: { id: string; now: number }): readonly Task[] {
  const words = wordsOf(text)
  if (words === '' || tasks.length >= mostTasks) return tasks
  return [{ id, text: words, createdAt: now, updatedAt: now }, ...tasks]
}

/** Said otherwise; an empty text changes nothing. */
export function changed(tasks: readonly Task[], id: string, text: string, now: number): readonly Task[] {
  const words = wordsOf(text)
  if (words === '' || tasks.every((task) => task.id !== id || task.text === words)) return tasks
  return tasks.map((task) => (task.id === id ? { ...task, text: words, updatedAt: now } : task))
}

export const without = (tasks: readonly Task[], id: string): readonly Task[] => tasks.filter((task) => task.id !== id)

/** What was kept, as far as it can be read: it is the browser's, and anybody may have written into it. */
export function read(kept: string | null): readonly Task[] {
  try {
    const list: unknown = JSON.parse(kept ?? '[]')
    return Array.isArray(list) ? list.filter(isTask).slice(0, mostTasks) : []
  } catch {
    return []
  }
}

function isTask(value: unknown): value is Task {
  const { id, text, createdAt, updatedAt } = (value ?? {}) as Partial<Task>
  return (
    typeof id === 'string' &&
    typeof text === 'string' &&
    wordsOf(text) !== '' &&
    Number.isFinite(createdAt) &&
    Number.isFinite(updatedAt)
  )
}
