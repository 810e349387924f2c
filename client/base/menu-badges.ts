import { createStore, useStore } from './store.ts'

/** Small marks on menu items: a count, '!' or '•', with the words that screen readers say for it. */
export type MenuBadge = { mark: string; label: string }

const badges = createStore<Readonly<Record<string, MenuBadge>>>({})

/** Sets or (with `null`) removes the mark of the menu item with this path: `setMenuBadge('/connections', {mark: '!', label: …})`. */
export function setMenuBadge(path: string, badge: MenuBadge | null): void {
  badges.set((current) => {
    if (badge === null) {
      if (!(path in current)) return current
      const { [path]: _, ...rest } = current
      return rest
    }
    const now = current[path]
    if (now?.mark === badge.mark && now.label === badge.label) return current
    return { ...current, [path]: badge }
  })
}

export const useMenuBadges = (): Readonly<Record<string, MenuBadge>> => useStore(badges)
