import { expect, test } from 'bun:test'
import { secondsSaid, waveformOf, waveformText } from './messages.waveform.ts'

test('a waveform of any number of parts is written as 64 letters and read back', () => {
  const text = waveformText(Uint8Array.from({ length: 64 }, (_, at) => (at * 100) / 63))!
  expect(text).toHaveLength(64)
  const read = waveformOf(text)
  expect([read[0], read.at(-1)]).toEqual([0, 1])
  expect(read).toEqual(read.toSorted((a, b) => a - b))
  expect(waveformText([0, 100])).toBe('0'.repeat(32) + 'z'.repeat(32))
  // Whatever a stranger sends, it is a waveform.
  expect(waveformOf(waveformText([-5, 300, Number.NaN]))).toHaveLength(64)
})

test('no waveform is none, and a length that cannot be true is none', () => {
  expect([waveformText([]), waveformText(null)]).toEqual([null, null])
  expect([waveformOf(null), waveformOf(''), waveformOf('<'.repeat(64))]).toEqual([[], [], []])
  expect([0, null, -3, 1e9, Number.NaN].map(secondsSaid)).toEqual([null, null, null, null, null])
  expect([0.2, 21.6].map(secondsSaid)).toEqual([1, 22])
})
