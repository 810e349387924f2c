import { describe, expect, test } from 'bun:test'
import { createDecoder } from 'libopus-wasm'
import { hum, recording } from '../../tests/support/recording.ts'
import { mp3Pieces } from './mp3.ts'
import { oggOpus } from './ogg-opus.ts'
import { resampler } from './resample.ts'
import { listen, voiceNoteOf } from './voice-note.ts'

/** Reads Ogg page by page, bit by bit as the standard has it, and shares nothing with what wrote it. */
async function opened(ogg: Uint8Array) {
  const file = Buffer.from(ogg)
  const pages: { flags: number; position: number; number: number }[] = []
  const packets: Buffer[] = []
  let open = Buffer.alloc(0)
  for (let at = 0; at < file.length; ) {
    expect(file.toString('latin1', at, at + 4)).toBe('OggS')
    const laces = file.subarray(at + 27, at + 27 + file[at + 26]!)
    const begin = at + 27 + laces.length
    const end = begin + laces.reduce((sum, lace) => sum + lace, 0)
    const unsigned = Buffer.from(file.subarray(at, end))
    unsigned.fill(0, 22, 26)
    expect(crcOf(unsigned)).toBe(file.readUInt32LE(at + 22))
    pages.push({
      flags: file[at + 5]!,
      position: Number(file.readBigInt64LE(at + 6)),
      number: file.readUInt32LE(at + 18),
    })
    let next = begin
    for (const lace of laces) {
      open = Buffer.concat([open, file.subarray(next, next + lace)])
      next += lace
      if (lace === 255) continue
      packets.push(open)
      open = Buffer.alloc(0)
    }
    at = end
  }
  const [head, tags, ...sound] = packets
  expect(head!.toString('latin1', 0, 8)).toBe('OpusHead')
  expect(tags!.toString('latin1', 0, 8)).toBe('OpusTags')
  expect(pages.map((page) => page.number)).toEqual(pages.map((_, at) => at))
  expect(pages.map((page) => page.flags)).toEqual([2, 0, ...Array(pages.length - 3).fill(0), 4])
  const preSkip = head!.readUInt16LE(10)
  const decoder = await createDecoder({ channels: 1, sampleRate: 48_000 })
  const all = decoder.decodeFloatFrames(sound).flatMap((piece) => [...piece])
  decoder.free()
  return {
    channels: head![9],
    recordedAt: head!.readUInt32LE(12),
    packets: sound,
    samples: Float32Array.from(all.slice(preSkip, pages.at(-1)!.position)),
  }
}

function crcOf(bytes: Uint8Array): number {
  let crc = 0
  for (const byte of bytes) {
    crc ^= byte << 24
    for (let bit = 0; bit < 8; bit++) crc = crc < 0 ? (crc << 1) ^ 0x04c11db7 : crc << 1
  }
  return crc >>> 0
}

/** How much of a sound at 48 kHz is a tone, 0 to 1 of its energy. */
function shareOf(hertz: number, samples: Float32Array): number {
  let re = 0
  let im = 0
  let energy = 0
  samples.forEach((sample, at) => {
    re += sample * Math.cos((2 * Math.PI * hertz * at) / 48_000)
    im += sample * Math.sin((2 * Math.PI * hertz * at) / 48_000)
    energy += sample * sample
  })
  return (2 * (re * re + im * im)) / (samples.length * energy)
}

describe('a recording becomes a voice note', () => {
  for (const rate of [16_000, 44_100, 48_000])
    test(`of the same length and sound, recorded at ${rate} Hz`, async () => {
      const note = (await voiceNoteOf(await recording(hum, 5, rate)))!
      const { samples, channels, recordedAt, packets } = await opened(note.ogg)
      expect({ channels, recordedAt, seconds: note.seconds }).toEqual({ channels: 1, recordedAt: rate, seconds: 5 })
      // An MP3 begins and ends with some frames of silence.
      expect(samples.length / 48_000).toBeWithin(4.99, 5.2)
      const inside = samples.subarray(12_000, 228_000)
      expect(shareOf(440, inside)).toBeGreaterThan(0.98)
      expect(shareOf(554, inside)).toBeLessThan(0.01)
      expect(Math.max(...inside)).toBeWithin(0.4, 0.6)
      expect(packets.reduce((sum, packet) => sum + packet.length, 0) * 8).toBeLessThan(5.2 * 40_000)
    })

  test('and two channels become one', async () => {
    const note = (await voiceNoteOf(await recording(hum, 2, 48_000, 2)))!
    const { samples } = await opened(note.ogg)
    expect(shareOf(440, samples.subarray(12_000, 84_000))).toBeGreaterThan(0.98)
    expect(Math.max(...samples.subarray(12_000, 84_000))).toBeWithin(0.2, 0.3)
  })

  test('whose shape shows where somebody speaks', async () => {
    const speaking = (time: number) => hum(time) * (time < 2 ? 0.2 : time < 3 ? 1.6 : 0)
    const { waveform } = (await voiceNoteOf(await recording(speaking, 4, 48_000)))!
    expect(waveform).toHaveLength(64)
    expect(Math.max(...waveform!)).toBe(100)
    expect(Math.max(...waveform!.subarray(4, 28))).toBeWithin(5, 20)
    expect(Math.min(...waveform!.subarray(36, 44))).toBeGreaterThan(90)
    expect(Math.max(...waveform!.subarray(54, 62))).toBeLessThan(3)
  })

  test('or of silence, which has no loudest part', async () => {
    const note = (await voiceNoteOf(await recording(() => 0, 1, 48_000)))!
    expect([...note.waveform!]).toEqual(Array(64).fill(0))
  })

  test('the same each time, and several at once', async () => {
    const mp3 = await recording(hum, 1, 44_100)
    const [first, second, third] = await Promise.all([voiceNoteOf(mp3), voiceNoteOf(mp3), voiceNoteOf(mp3)])
    expect(Buffer.compare(first!.ogg, second!.ogg)).toBe(0)
    expect(Buffer.compare(first!.ogg, third!.ogg)).toBe(0)
  })

  test('without holding up other work', async () => {
    const mp3 = await recording(hum, 20, 44_100)
    await voiceNoteOf(mp3)
    const turns: number[] = []
    let before = performance.now()
    const watch = setInterval(() => {
      turns.push(performance.now() - before)
      before = performance.now()
    }, 1)
    await voiceNoteOf(mp3)
    clearInterval(watch)
    // 80 slices: others had their turn between most of them.
    expect(turns.length).toBeGreaterThan(20)
  })

  test('that came as Ogg already is taken as it is', async () => {
    const { ogg, seconds } = (await voiceNoteOf(await recording(hum, 3, 48_000)))!
    expect(await voiceNoteOf(ogg)).toEqual({ ogg, seconds, waveform: undefined })
  })
})

describe('what is heard of a sound that came', () => {
  test('Opus in Ogg, as phones send it, has its length and shape', async () => {
    const speaking = (at: number) => (at < 2 ? 0 : hum(at))
    const { ogg, waveform: drawn } = (await voiceNoteOf(await recording(speaking, 4, 48_000)))!
    const { seconds, waveform } = (await listen(ogg))!
    expect([seconds, waveform!.length]).toEqual([4, 64])
    expect(Math.max(...waveform!.subarray(0, 28))).toBeLessThan(5)
    expect(Math.min(...waveform!.subarray(36, 62))).toBeGreaterThan(70)
    const differences = [...waveform!].map((part, at) => Math.abs(part - drawn![at]!))
    expect(Math.max(...differences.slice(2, 30), ...differences.slice(34, 62))).toBeLessThan(20)
  })

  test('an MP3 too; of what is neither, nothing; of what is broken, what is whole', async () => {
    expect(await listen(await recording(hum, 3, 44_100))).toMatchObject({ seconds: 3 })
    expect(await listen(Buffer.alloc(50_000, 7))).toBeNull()
    const { ogg } = (await voiceNoteOf(await recording(hum, 3, 48_000)))!
    const broken = Buffer.from(ogg)
    broken.fill(0xff, 4_000, 4_400)
    expect((await listen(broken))!.waveform).toHaveLength(64)
  })
})

describe('a broken recording', () => {
  test('that was cut off keeps what is whole', async () => {
    const mp3 = await recording(hum, 4, 44_100)
    const note = (await voiceNoteOf(mp3.subarray(0, mp3.length / 2 - 77)))!
    expect(note.seconds).toBe(2)
    const { samples } = await opened(note.ogg)
    expect(shareOf(440, samples.subarray(12_000, 80_000))).toBeGreaterThan(0.98)
  })

  test('with a tag before it, a tag behind it and rubbish inside loses only the rubbish', async () => {
    const mp3 = await recording(hum, 4, 44_100)
    const picture = Buffer.alloc(5_000, 0xff)
    const size = [0, 0, picture.length >> 7, picture.length & 127]
    const tag = Buffer.concat([Buffer.from([0x49, 0x44, 0x33, 4, 0, 0, ...size]), picture])
    const middle = mp3Pieces(mp3, 2)!.pieces[0]!.length
    const whole = Buffer.concat([
      ...[tag, mp3.subarray(0, middle), Buffer.alloc(3_000, 0xff)],
      ...[mp3.subarray(middle), Buffer.from('TAG'.padEnd(128))],
    ])
    const note = (await voiceNoteOf(whole))!
    const { samples } = await opened(note.ogg)
    expect(samples.length / 48_000).toBeWithin(3.9, 4.2)
    expect(shareOf(440, samples.subarray(12_000, 80_000))).toBeGreaterThan(0.98)
  })

  test('that is no MP3, nor Ogg with Opus, makes no voice note', async () => {
    const noise = Buffer.from(
      Array.from({ length: 200_000 }, (_, at) => (Math.imul(at + 1, 2_654_435_761) >>> 13) & 255),
    )
    const vorbis = Buffer.concat([Buffer.from('OggS'), Buffer.alloc(24), Buffer.from('\x01vorbis'), noise])
    for (const bytes of [Buffer.alloc(0), Buffer.from('ID3'), Buffer.alloc(50_000, 0xff), noise, vorbis])
      expect(await voiceNoteOf(bytes)).toBe(null)
  })

  test('with any byte of it changed is still converted', async () => {
    const mp3 = await recording(hum, 1, 44_100)
    let seed = 7
    const random = (below: number) => (seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0) % below
    for (let round = 0; round < 40; round++) {
      const broken = Buffer.from(mp3)
      for (let change = 0; change < 1 + round * 5; change++) broken[random(broken.length)] = random(256)
      const note = await voiceNoteOf(broken)
      if (note) await opened(note.ogg)
    }
  }, 60_000)
})

test('packets of any length lie in pages that end with them', async () => {
  const lengths = [0, 1, 254, 255, 256, 510, 1_275, ...Array<number>(120).fill(1_000)]
  const packets = lengths.map((length, at) => Buffer.alloc(length, at))
  const file = Buffer.from(oggOpus({ packets, preSkip: 312, samples: 960 * 126, recordedAt: 48_000 }))
  const found: number[] = []
  let length = 0
  for (let at = 0; at < file.length; ) {
    const laces = file.subarray(at + 27, at + 27 + file[at + 26]!)
    for (const lace of laces) {
      length += lace
      if (lace < 255) found.push(length)
      if (lace < 255) length = 0
    }
    expect(length).toBe(0)
    at += 27 + laces.length + laces.reduce((sum, lace) => sum + lace, 0)
  }
  expect(found.slice(2)).toEqual(lengths)
})

test('a raised rate keeps the sound, in whatever pieces it comes', () => {
  const sound = Float32Array.from({ length: 22_050 }, (_, at) => Math.sin((2 * Math.PI * 1_000 * at) / 44_100))
  for (const pieceLength of [1, 7, 1_152, 22_050]) {
    const raise = resampler(44_100, 48_000)
    const raised: number[] = []
    for (let at = 0; at < sound.length; at += pieceLength) raised.push(...raise(sound.subarray(at, at + pieceLength)))
    expect(raised.length).toBeWithin(23_980, 24_001)
    const worst = raised.slice(100).reduce((most, sample, at) => {
      const wanted = Math.sin((2 * Math.PI * 1_000 * (at + 100)) / 48_000)
      return Math.max(most, Math.abs(sample - wanted))
    }, 0)
    expect(worst).toBeLessThan(0.001)
  }
})
