/**
 * Look shared by everything that floats above the page: menus, popovers, lists. They come softly and go at once: one that
 * is opened again while it fades is for Radix the same one still, and the keyboard stays outside of it.
 */
export const panelClasses = [
  'z-50 overflow-hidden rounded-lg border bg-popover p-1 text-popover-foreground shadow-overlay outline-none',
  'data-[state=open]:animate-in data-[state=open]:fade-in-0 data-[state=open]:zoom-in-[0.98] data-[state=open]:duration-100',
].join(' ')

/** One line of a menu or list. */
export const itemClasses = [
  'relative flex min-h-7 cursor-default items-center gap-2 rounded-md px-2 py-1 text-sm outline-none select-none touch:min-h-11',
  'data-[highlighted]:bg-accent data-[highlighted]:text-accent-foreground data-[active=true]:bg-accent data-[active=true]:text-accent-foreground',
  'data-[disabled]:pointer-events-none data-[disabled]:opacity-50 aria-disabled:pointer-events-none aria-disabled:opacity-50',
  "[&_svg]:shrink-0 [&_svg:not([class*='size-'])]:size-4 [&_svg:not([class*='text-'])]:text-muted-foreground",
].join(' ')

export const overlayClasses = [
  'fixed inset-0 z-50 bg-[oklch(0.15_0.02_225/0.45)] dark:bg-[oklch(0.1_0.01_230/0.6)]',
  'data-[state=open]:animate-in data-[state=open]:fade-in-0 data-[state=closed]:animate-out data-[state=closed]:fade-out-0',
  'data-[state=open]:duration-150 data-[state=closed]:duration-100',
].join(' ')
