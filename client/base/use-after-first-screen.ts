import { startTransition, useEffect, useState } from 'react'
import { lateParts } from './late.tsx'

let isAfterNow = false

/**
 * False while the first screen and what follows it are being drawn; true then, drawn in small pieces. For parts that
 * are there and cannot be seen yet.
 */
export function useAfterFirstScreen(): boolean {
  const [isAfter, setAfter] = useState(isAfterNow)
  useEffect(() => {
    if (isAfter) return
    let isGone = false
    void lateParts().then(() => {
      isAfterNow = true
      if (!isGone) startTransition(() => setAfter(true))
    })
    return () => {
      isGone = true
    }
  }, [isAfter])
  return isAfter
}
