/** What strangers write, made fit to be kept: never longer than is said here, however much arrives. */

/** A name of a person, a group or a place. */
export const NAME_LENGTH = 100
/** A file's name. */
export const FILE_NAME_LENGTH = 255

/** The beginning of a text, of at most `length` UTF-16 units, in which no character is cut in two. */
export function clip(text: string, length: number): string {
  if (text.length <= length) return text
  const last = text.charCodeAt(length - 1)
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? length - 1 : length)
}

/** Postgres keeps neither NUL nor half an emoji in its text; nobody can read either. */
export const legible = (text: string): string => text.replaceAll('\u0000', '').toWellFormed()

/**
 * A file's name, whoever says it: the last part of a path, one line, without marks that turn round how the ending is
 * read, and its end where it is too long. Empty when nothing is left.
 */
export function fileNameOf(text: string | null | undefined): string {
  // The end has the ending; more than is kept, so that what is taken out costs nothing.
  const last = (text ?? '')
    .slice(-FILE_NAME_LENGTH * 4)
    .split(/[/\\]/)
    .at(-1)!
  const clean = last.replace(/[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '').trim()
  // Cut in the middle of a character, its half is none.
  return /^\.*$/.test(clean) ? '' : clean.slice(-FILE_NAME_LENGTH).toWellFormed()
}

/**
 * A name as it may stand in a line among other words: one line, and without the marks that turn round the direction
 * of what stands behind it. Empty when nothing is left.
 */
export const nameOf = (text: string | null | undefined, length = NAME_LENGTH): string =>
  clip(
    // More than is kept, so that blanks at the beginning do not cost a name; no more than a multiple of it.
    legible(clip(text ?? '', length * 4))
      .replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
      .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
      .trim(),
    length,
  )
