/** First letters of the first and last word: "Ana Maria Souza" → "AS". A name without letters (a number) → its last two digits. */
export function initials(name: string): string {
  const words = name
    .trim()
    .split(/\s+/)
    .filter((word) => /^\p{L}/u.test(word))
  const first = words[0]
  if (first === undefined) return name.replace(/\D/g, '').slice(-2) || '?'
  const last = words.length > 1 ? words[words.length - 1] : undefined
  return ([...first][0]! + (last ? [...last][0]! : '')).toLocaleUpperCase()
}

/** A hue from 0 to 359 that is always the same for the same text. */
export function hueOf(text: string): number {
  let hash = 0
  for (const char of text) hash = (hash * 31 + char.codePointAt(0)!) % 360_007
  return (hash * 47) % 360
}
