/** Input samples on each side that make an output sample. */
const REACH = 16

/**
 * Raises the sample rate of one channel by windowed sinc interpolation. The sound comes in pieces of any length; what
 * comes out is neither delayed nor advanced, and ends `REACH` input samples early.
 * @param from Hz
 * @param to Hz, not below `from`
 */
export function resampler(from: number, to: number): (samples: Float32Array) => Float32Array {
  if (from === to) return (samples) => samples
  const shared = greatestCommonDivisor(from, to)
  const steps = to / shared
  const stride = from / shared
  const weights = weightsOf(steps)
  // The samples that the next output still reaches back to; silence before the first.
  let kept = new Float32Array(REACH - 1)
  /** How far the next output lies behind the sample at `REACH - 1`, in `steps` of a sample. */
  let step = 0
  return (samples) => {
    const all = new Float32Array(kept.length + samples.length)
    all.set(kept)
    all.set(samples, kept.length)
    const raised = new Float32Array(Math.ceil((samples.length * steps) / stride) + 1)
    let count = 0
    let first = 0
    for (; first + 2 * REACH <= all.length; count++) {
      let sum = 0
      for (let tap = 0, weight = step * 2 * REACH; tap < 2 * REACH; tap++, weight++)
        sum += all[first + tap]! * weights[weight]!
      raised[count] = sum
      step += stride
      first += Math.floor(step / steps)
      step %= steps
    }
    kept = all.slice(first)
    return raised.subarray(0, count)
  }
}

/** For each step between two samples, what each sample in reach weighs. */
function weightsOf(steps: number): Float32Array {
  const weights = new Float32Array(steps * 2 * REACH)
  for (let step = 0; step < steps; step++) {
    const row = weights.subarray(step * 2 * REACH, (step + 1) * 2 * REACH)
    for (let tap = 0; tap < row.length; tap++) {
      const x = tap - (REACH - 1) - step / steps
      const angle = (Math.PI * x) / REACH
      const window = 0.42 + 0.5 * Math.cos(angle) + 0.08 * Math.cos(2 * angle)
      row[tap] = window * (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x))
    }
    // A constant stays what it is.
    const sum = row.reduce((a, b) => a + b, 0)
    for (let tap = 0; tap < row.length; tap++) row[tap]! /= sum
  }
  return weights
}

const greatestCommonDivisor = (a: number, b: number): number => (b === 0 ? a : greatestCommonDivisor(b, a % b))
