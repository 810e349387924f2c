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

/**
 * Runs whenever the event socket opens while the component is mounted, the first time too: what happened between the
 * first look at the server and that moment was not heard.
 */
export function useConnected(listener: () => void): void {
  const latest = useRef(listener)
  useEffect(() => {
    latest.current = listener
  })
  useEffect(() => onConnect(() => latest.current()), [])
}
