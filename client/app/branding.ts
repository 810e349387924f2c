import { useEffect } from 'react'
import type { BrandPlace } from '../../schema/companies/branding.table.ts'
import { api } from './api.ts'
import { local } from './local.ts'
import { createStore, useStore } from './store.ts'

/** Places with a picture of the operator's, and when it was changed. */
type Branding = Partial<Record<BrandPlace, string>>

const key = 'balcao.branding'
const known = createStore<Branding>(stored())
let asked: Promise<void> | undefined

function stored(): Branding {
  try {
    return JSON.parse(local.get(key) ?? '{}') as Branding
  } catch {
    return {}
  }
}

/** Asks the server again; what was known stays while it cannot be reached. */
export async function refreshBranding(): Promise<void> {
  try {
    const rows = await api.get<{ place: BrandPlace; updatedAt: string }[]>('/branding', { auth: false })
    const next = Object.fromEntries(rows.map(({ place, updatedAt }) => [place, updatedAt])) as Branding
    local.set(key, JSON.stringify(next))
    known.set(next)
  } catch {
    // Asked again by whoever shows a picture next.
    asked = undefined
  }
}

/** The address of the operator's picture for a place; null where ours is shown. */
export function useBrandPicture(place: BrandPlace): string | null {
  const at = useStore(known)[place]
  useEffect(() => void (asked ??= refreshBranding()), [])
  return at ? `/branding/${place}?v=${Date.parse(at).toString(36)}` : null
}
