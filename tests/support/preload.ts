import { setDefaultTimeout } from 'bun:test'

// A test that waits does so with a deadline of its own; this one only catches what hangs, on a slow machine too.
setDefaultTimeout(60_000)

// What `bun run test` tells the compilers is for the tests alone: a server that a test starts is as it is for everybody.
for (const name of Object.keys(process.env)) if (name.startsWith('BUN_JSC_')) delete process.env[name]
