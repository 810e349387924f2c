/** The languages that the product speaks. With a new one nothing compiles until each text has it. */
export const languages = ['pt', 'es', 'en'] as const
export type Language = (typeof languages)[number]

/** For `lang` attributes and for `Intl`; days come before months in all of them. */
export const languageTags: Record<Language, string> = { pt: 'pt-BR', es: 'es', en: 'en-GB' }

type Each<T extends readonly unknown[]> = { readonly [K in keyof T]: string }
type Others = typeof languages extends readonly [unknown, ...infer Rest] ? Rest : never

/** A text in each of them, in their order. */
export type Words = Each<typeof languages>
export const wordIn = (words: Words, language: Language): string => words[languages.indexOf(language)]!

/** A Portuguese text in each of the others, in their order. */
export type OtherWords = Each<Others>
/** The text in a language, or undefined in Portuguese, and where there is none. */
export const otherWord = (words: OtherWords | undefined, language: Language): string | undefined =>
  words?.[languages.indexOf(language) - 1]
