import { useEffect, useState } from 'react'
import { api } from '../session/api.ts'

/**
 * What the server tells without a login.
 * @returns undefined until it is known; `failed` when it could not be had, with a way to ask again
 */
export function useOpen<T>(path: string): { data: T | undefined; failed: unknown; reload: () => void } {
  const [data, setData] = useState<T>()
  const [failed, setFailed] = useState<unknown>(null)
  const [round, setRound] = useState(0)
  useEffect(() => {
    const controller = new AbortController()
    setFailed(null)
    api.get<T>(path, { auth: false, signal: controller.signal }).then(
      (answer) => setData(answer),
      (error: unknown) => !controller.signal.aborted && setFailed(error),
    )
    return () => controller.abort()
  }, [path, round])
  return { data, failed, reload: () => setRound((n) => n + 1) }
}

/** Whether a setting that is read without a login is switched on; undefined until it is known. */
export function useSwitchedOn(key: 'allowregister' | 'viewregister') {
  const { data, ...rest } = useOpen<{ value: string }>(`/settings/${key}`)
  return { on: data && data.value === 'enabled', ...rest }
}
