import type { Messages } from '@lingui/core'

/**
 * Compiles a text whose only places to fill are names: `Olá, {name}` is `['Olá, ', ['name'], '']`. What the build leaves
 * out of the Portuguese catalogue is compiled by this as it is shown (`client/vite.config.ts`).
 */
export const withNames = (message: string): Exclude<Messages[string], string> =>
  message.split(/\{(\w+)\}/).map((part, index) => (index % 2 === 1 ? [part] : part))
