/** Whether this run is `bun run soak`, which has a night's time and not minutes. */
export const isSoak = process.env.SOAK === '1'

/** How much of what chance, kills or attacks do: a little in each run of the whole test, all of it in `bun run soak`. */
export const dose = (little: number, all: number): number => (isSoak ? all : little)
