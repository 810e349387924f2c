import { afterAll, beforeAll, expect, test } from 'bun:test'
import { onceScrolled } from './once-scrolled.ts'

const frames: FrameRequestCallback[] = []
const own = globalThis.requestAnimationFrame
beforeAll(() => {
  globalThis.requestAnimationFrame = (work) => frames.push(work)
})
afterAll(() => {
  globalThis.requestAnimationFrame = own
})
const draw = () => {
  for (const work of frames.splice(0)) work(0)
}

test('where no event tells of it, a scroller that has stood for some frames has come to its end, and one that moves has not', () => {
  const scroller = { scrollTop: 0 } as HTMLElement
  let ended = 0
  onceScrolled(scroller, () => ended++)
  for (let frame = 0; frame < 30; frame++) {
    scroller.scrollTop += 10
    draw()
  }
  expect(ended).toBe(0)
  for (let frame = 0; frame < 30; frame++) draw()
  expect(ended).toBe(1)
})

test('who lets go of it is not called', () => {
  const leave = new AbortController()
  let ended = 0
  onceScrolled({ scrollTop: 0 } as HTMLElement, () => ended++, leave.signal)
  draw()
  leave.abort()
  for (let frame = 0; frame < 30; frame++) draw()
  expect(ended).toBe(0)
})
