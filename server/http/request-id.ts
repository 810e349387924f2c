const known = new WeakMap<Request, { id: string; at: number }>()

function of(request: Request): { id: string; at: number } {
  let made = known.get(request)
  if (!made) known.set(request, (made = { id: crypto.randomUUID(), at: performance.now() }))
  return made
}

/** By which a call is found in the log: it stands in the answer's `x-request-id` and in each line that is about it. */
export const requestIdOf = (request: Request): string => of(request).id

/** Since it was first seen, in milliseconds. */
export const ageOf = (request: Request): number => performance.now() - of(request).at
