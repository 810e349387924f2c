import { clsx } from 'clsx'
import type { ClassValue } from 'clsx'
import { twMerge } from 'tailwind-merge'

/** Joins class names; of two that set the same property the later wins, so a caller can override a component. */
export function cn(...classes: ClassValue[]): string {
  return twMerge(clsx(classes))
}
