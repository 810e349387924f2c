/** What `bun run test` is asked for on its command line. */
export interface Asked {
  /** A noun, a file, or a part of a title; empty is everything. */
  words: string
  /** How often each test runs. */
  again: number
  /** Whether half of the processor and a quick line are taken away. */
  busy: boolean
}

/**
 * Reads `[words…] [--again N] [--busy]`.
 * @throws Error, in words for whoever typed it
 */
export function asked(args: readonly string[]): Asked {
  const words: string[] = []
  const found = { again: 1, busy: false }
  for (let at = 0; at < args.length; at++) {
    const arg = args[at]!
    if (arg === '--busy') found.busy = true
    else if (arg === '--again') {
      found.again = Number(args[++at])
      if (!Number.isInteger(found.again) || found.again < 1 || found.again > 1000)
        throw new Error('--again takes how often each test runs: a whole number from 1 to 1000')
    } else if (arg.startsWith('-')) throw new Error(`${arg} is not known. There are: [words…] --again N --busy`)
    else words.push(arg)
  }
  return { words: words.join(' '), ...found }
}

/** Files to run, and a part of the title when only some of their tests are meant. */
export interface Selection {
  files: string[]
  title?: string
}

/**
 * The files that concern some words: those in a folder of that name or whose own name begins with it; where there are
 * none, those that hold the words in a title, and of them only the tests whose title does.
 * @param files path and text of each, the path as `server/tickets/tickets.routes.test.ts`
 */
export function selected(words: string, files: readonly { path: string; text: string }[]): Selection {
  if (words === '') return { files: files.map(({ path }) => path) }
  const wanted = words.toLowerCase()
  const concerns = ({ path }: { path: string }) => {
    const parts = path.toLowerCase().split('/')
    const own = parts.at(-1)!
    return path.toLowerCase() === wanted || parts.includes(wanted) || own.startsWith(wanted)
  }
  const named = files.filter(concerns)
  if (named.length > 0) return { files: named.map(({ path }) => path) }
  const titled = files.filter(({ text }) => titlesOf(text).some((title) => title.toLowerCase().includes(wanted)))
  return { files: titled.map(({ path }) => path), title: words }
}

const titlesOf = (text: string): string[] =>
  [...text.matchAll(/\b(?:test|describe)(?:\.\w+)*\(\s*(['"`])(.*?)\1/g)].map((found) => found[2]!)

/** A text as a regular expression that finds just it. */
export const literally = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
