import { setDefaultTimeout } from 'bun:test'

// A test that waits does so with a deadline of its own; this one only catches what hangs, on a slow machine too.
setDefaultTimeout(60_000)
