import { expect, test } from 'bun:test'
import { Suspense } from 'react'
import { renderToReadableStream } from 'react-dom/server'
import { onDemand, whenMissing } from './late.tsx'

/** What is drawn in the end. */
async function drawn(Part: ReturnType<typeof onDemand<{ onClose?: () => void }>>, isDialog = false): Promise<string> {
  const stream = await renderToReadableStream(
    <Suspense fallback={null}>
      <Part {...(isDialog && { onClose: () => undefined })} />
    </Suspense>,
    { onError: (error) => expect(error).toBeUndefined() },
  )
  await stream.allReady
  return new Response(stream).text()
}

test('in the place of a part that does not come stands a sentence, and whoever asks again is shown it', async () => {
  const there = Promise.withResolvers<void>()
  whenMissing(async () => {
    there.resolve()
    return { default: ({ onClose }) => <p>{onClose ? 'no dialog' : 'no part'}</p> }
  })
  let isOnline = false
  const load = async () => {
    if (!isOnline) throw new TypeError('Failed to fetch dynamically imported module')
    return { default: () => <p>the part</p> }
  }
  const [part, dialog] = [onDemand(load), onDemand(load)]
  await there.promise
  expect(await drawn(part)).toContain('no part')
  expect(await drawn(dialog, true)).toContain('no dialog')
  isOnline = true
  // The place that failed is not asked for by itself: it stays until somebody does, or comes anew.
  expect(await drawn(part)).toContain('no part')
  await part.fetch()
  expect(await drawn(part)).toContain('the part')
})
