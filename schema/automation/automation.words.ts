import type { Language } from '../languages.ts'

/** The few words that the product itself adds to a company's own texts. */
export const words: Record<'menu' | 'back' | 'start' | 'toMenu', Record<Language, string>> = {
  /** Above the queues, where the connection has no greeting. */
  menu: { pt: 'Escolha uma opção:', en: 'Choose an option:', es: 'Elige una opción:' },
  back: { pt: 'Voltar', en: 'Back', es: 'Volver' },
  start: { pt: 'Menu inicial', en: 'Main menu', es: 'Menú inicial' },
  toMenu: {
    pt: 'Digite *#* para voltar ao menu.',
    en: 'Type *#* to go back to the menu.',
    es: 'Escribe *#* para volver al menú.',
  },
}

/** A line of a menu, as contacts read it. */
export const choice = (key: string | number, label: string): string => `*[ ${key} ]* - ${label}`
