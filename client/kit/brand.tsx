import { useBrandPicture, useProductName } from '../session/branding.ts'
import { cn } from '../ui/cn.ts'

/** The mark: a speech bubble over a counter. Keep in step with public/icons/mark.svg. */
export function BrandMark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 64 64" aria-hidden="true" className={cn('size-7 shrink-0', className)}>
      <rect width="64" height="64" rx="15" fill="#0d6e74" />
      <path
        d="M20 13h24a7 7 0 0 1 7 7v9a7 7 0 0 1-7 7H30l-8.2 6.2A1.1 1.1 0 0 1 20 41.300v-5.300a7 7 0 0 1-7-7v-9a7 7 0 0 1 7-7z"
        fill="#fff"
      />
      <rect x="11" y="47" width="42" height="6" rx="3" fill="#8fe0d6" />
    </svg>
  )
}

/** The operator's picture for the place, or ours with the product's name. */
export function Brand({ place, className }: { place: 'login' | 'signup' | 'interno'; className?: string }) {
  const picture = useBrandPicture(place)
  const product = useProductName()
  if (picture)
    return (
      <span className={cn('flex items-center', className)}>
        <img src={picture} alt={product} className="h-9 w-auto max-w-44 object-contain" />
      </span>
    )
  return (
    <span className={cn('flex min-w-0 items-center gap-2.5', className)}>
      <BrandMark />
      <span className="min-w-0 truncate text-[1.0625rem] font-semibold tracking-[-0.02em]">{product}</span>
    </span>
  )
}
