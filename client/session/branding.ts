import { useEffect } from 'react'
import type { BrandPlace } from '../../schema/companies/branding.table.ts'
import { OUR_NAME } from '../../schema/companies/product-name.ts'
import { setTitleProduct } from '../ui/page.tsx'
import { api } from './api.ts'
import { local } from '../base/local.ts'
import { createStore, useStore } from '../base/store.ts'

interface Branding {
  /** What the product is called. */
  product: string
  /** Places with a picture of the operator's, and when it was changed. */
  pictures: Partial<Record<BrandPlace, string>>
}

const key = 'balcao.branding'
const known = createStore<Branding>(stored())
let asked: Promise<void> | undefined
setTitleProduct(known.get().product)

/** As it was told last; before the first time, the page itself says the name, for its first drawing. */
function stored(): Branding {
  let kept: Partial<Branding> = {}
  try {
    kept = JSON.parse(local.get(key) ?? '{}') as Partial<Branding>
  } catch {
    // What cannot be read is asked for.
  }
  return { product: kept.product || ofPage() || OUR_NAME, pictures: kept.pictures ?? {} }
}

function ofPage(): string | undefined {
  if (typeof document === 'undefined') return undefined
  return document.querySelector<HTMLMetaElement>('meta[name="application-name"]')?.content
}

/** Asks the server again; what was known stays while it cannot be reached. */
export async function refreshBranding(): Promise<void> {
  try {
    const { product, pictures } = await api.get<{
      product: string
      pictures: { place: BrandPlace; updatedAt: string }[]
    }>('/branding', { auth: false })
    const places = pictures.map(({ place, updatedAt }) => [place, updatedAt])
    const next: Branding = { product, pictures: Object.fromEntries(places) as Branding['pictures'] }
    local.set(key, JSON.stringify(next))
    known.set(next)
    setTitleProduct(product)
  } catch {
    // Asked again by whoever shows a picture or the name next.
    asked = undefined
  }
}

function useBranding(): Branding {
  useEffect(() => void (asked ??= refreshBranding()), [])
  return useStore(known)
}

/** What the product is called: as the operator has named it, or as we do. Also without a network and before the login. */
export const useProductName = (): string => useBranding().product

/** The address of the operator's picture for a place; null where ours is shown. */
export function useBrandPicture(place: BrandPlace): string | null {
  const at = useBranding().pictures[place]
  return at ? `/branding/${place}?v=${Date.parse(at).toString(36)}` : null
}
