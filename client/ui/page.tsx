import type { ComponentProps, ReactNode } from 'react'
import { useEffect } from 'react'
import { OUR_NAME } from '../../schema/companies/product-name.ts'
import { cn } from './cn.ts'

const tab = { title: '', count: 0, product: OUR_NAME }

function writeTitle(): void {
  const count = tab.count > 0 ? `(${tab.count > 99 ? '99+' : tab.count}) ` : ''
  document.title = count + (tab.title ? `${tab.title} · ${tab.product}` : tab.product)
}

/** Names the browser tab while mounted. */
export function useDocumentTitle(title: string): void {
  useEffect(() => {
    tab.title = title
    writeTitle()
  }, [title])
}

/** Says what the product is called, behind the name of every screen. */
export function setTitleProduct(product: string): void {
  if (product === tab.product) return
  tab.product = product
  writeTitle()
}

/** Puts a number before the tab's name, whatever screen is open; 0 removes it. */
export function setTitleCount(count: number): void {
  tab.count = count
  writeTitle()
}

/**
 * A screen: title, actions at its right, an optional toolbar (search, filters) and the content, which scrolls.
 * `title` is plain text, because the browser tab carries it too.
 */
export function Page({
  title,
  description,
  actions,
  toolbar,
  className,
  children,
}: {
  title: string
  description?: ReactNode
  actions?: ReactNode
  toolbar?: ReactNode
  className?: string
  children: ReactNode
}) {
  useDocumentTitle(title)
  return (
    <div className="flex h-full min-h-0 flex-col">
      <header className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 pt-4 pb-3 sm:px-6">
        {/* Where both have no room on one line it stands alone, above its actions. */}
        <h1 className="min-w-0 flex-1 basis-auto truncate text-lg leading-7 font-semibold tracking-[-0.01em]">
          {title}
        </h1>
        {description && <p className="-mt-2 basis-full text-sm text-muted-foreground sm:order-last">{description}</p>}
        {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </header>
      {toolbar && <div className="flex flex-wrap items-center gap-2 px-4 pb-3 sm:px-6">{toolbar}</div>}
      <div className={cn('min-h-0 flex-1 overflow-y-auto px-4 pb-6 sm:px-6', className)}>{children}</div>
    </div>
  )
}

/** A page's main list on its own surface. */
export function PageCard({ className, ...props }: ComponentProps<'div'>) {
  return <div className={cn('overflow-hidden rounded-xl border bg-card shadow-xs', className)} {...props} />
}
