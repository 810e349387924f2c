import { useEffect, useRef } from 'react'
import { onCompanyEvent, onConnect } from './events.ts'

/** Hears `company-{id}-{name}` while the component is mounted. */
export function useCompanyEvent(name: string, listener: (data: unknown) => void): void {
  const latest = useRef(listener)
  useEffect(() => {
    latest.current = listener
  })
  useEffect(() => onCompanyEvent(name, (data) => latest.current(data)), [name])
}

/** Runs after the event socket has come back from an interruption. */
export function useReconnected(listener: () => void): void {
  const latest = useRef(listener)
  useEffect(() => {
    latest.current = listener
  })
  useEffect(() => onConnect((first) => !first && latest.current()), [])
}
