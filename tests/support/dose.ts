/** Whether this run is `bun run soak`, which has a night's time and not minutes. */
export const isSoak = process.env.SOAK === '1'

/** How much of what chance, kills or attacks do: a little in each run of the whole test, all of it in `bun run soak`. */
export const dose = (little: number, all: number): number => (isSoak ? all : little)

/**
 * Seeds of chance: the first ones in each run of the whole test; in `bun run soak` others in each of its rounds, so that an
 * hour tries several times as many as one round has time for.
 */
export function seeds(little: number, all: number): number[] {
  const first = isSoak ? Number(process.env.FUZZ_SEED ?? 1) : 1
  return Array.from({ length: dose(little, all) }, (_, i) => first + i)
}
