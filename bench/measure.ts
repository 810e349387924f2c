/** One row of the bench's table. */
export type Measure = {
  /** What the user feels, in words that the README can show. */
  name: string
  /** What it should be, e.g. `p50 ≤ 40 ms`. */
  target: string
  /** What it is, by name, e.g. `{ p50: 12.1, p99: 40.2 }`. */
  values: Record<string, number>
  unit: 'ms' | 'MB' | 'KB' | '/s' | 's' | '%' | 'of 100'
  /** Number of samples. */
  runs: number
  /** Whether the target is met. */
  ok: boolean
  /** What limits it, where it is not. */
  note?: string
}

/** A bench file's default export. */
export type Bench = { name: string; run: (say: (text: string) => void) => Promise<Measure[]> }

/** The value below which that share of the samples lies (nearest rank). */
export function percentile(samples: readonly number[], share: number): number {
  if (samples.length === 0) return Number.NaN
  const sorted = [...samples].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))] ?? Number.NaN
}

/** p50, p95 and p99, rounded to a tenth. */
export function spread(samples: readonly number[]): { p50: number; p95: number; p99: number } {
  const at = (share: number) => Math.round(percentile(samples, share) * 10) / 10
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) }
}

/** That many runs, or the share of them that `BENCH_RUNS` says (0.1 for a first look), but at least three. */
export const often = (runs: number): number => Math.max(3, Math.round(runs * Number(process.env['BENCH_RUNS'] ?? 1)))

/** Runs the work that often and returns how long each run took, in milliseconds, after a few that do not count. */
export async function time(runs: number, work: (run: number) => Promise<unknown>, warmUp = 3): Promise<number[]> {
  const samples: number[] = []
  for (let run = -warmUp; run < runs; run++) {
    const begin = performance.now()
    await work(run)
    if (run >= 0) samples.push(performance.now() - begin)
  }
  return samples
}
