/** A server for the tests of its supervisor: it does as its first argument says, and notes each start in a file. */
import { appendFileSync, readFileSync } from 'node:fs'
import { doing, showLife, showReady } from './heartbeat.ts'

const [, , behaviour = '', notes = '', heartbeat = ''] = process.argv
showLife(heartbeat)
// Before it is noted: who reads the note may ask it to stop at once.
process.on('SIGTERM', () => {
  if (behaviour !== 'deaf') process.exit(0)
})
appendFileSync(notes, `${process.pid}\n`)
const isFirst = readFileSync(notes, 'utf8').trim().split('\n').length === 1
if (behaviour === 'never ready') process.exit(7)
showReady()
setInterval(() => undefined, 1_000)
// As many waits as some thirty browsers hold with the real Electric.
if (behaviour === 'asks')
  for (let i = 0; i < 700; i++) void fetch(`${process.env['ASKED']}/${i}`).catch(() => undefined)
if (behaviour === 'ends') setTimeout(() => process.exit(3), 20)
if (isFirst && behaviour === 'busy')
  setTimeout(() => {
    doing('POST /contacts/import')
    for (;;);
  }, 300)
if (isFirst && behaviour === 'waiting')
  setTimeout(() => {
    doing('job whatsapp.send')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  }, 300)
