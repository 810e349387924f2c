import { createEncoder } from 'wasm-media-encoders'

/** A voice that hums one tone, at half of what a recording can hold. */
export const hum = (time: number) => 0.5 * Math.sin(2 * Math.PI * 440 * time)

/**
 * An MP3 as our browser records it, 128 kbit/s. A second channel is silent.
 * @param sound the sample at a time in seconds, -1 to 1
 * @param rate Hz
 */
export async function recording(
  sound: (time: number) => number,
  seconds: number,
  rate: number,
  channels: 1 | 2 = 1,
): Promise<Buffer<ArrayBuffer>> {
  const wasm = await Bun.file(new URL(import.meta.resolve('wasm-media-encoders/wasm/mp3'))).bytes()
  const encoder = await createEncoder('audio/mpeg', wasm.buffer)
  encoder.configure({ sampleRate: rate, channels, bitrate: 128 })
  const samples = Float32Array.from({ length: seconds * rate }, (_, at) => sound(at / rate))
  const body = Buffer.from(encoder.encode(channels === 1 ? [samples] : [samples, new Float32Array(samples.length)]))
  return Buffer.concat([body, encoder.finalize()])
}
