import { expect, test } from 'bun:test'
import { videoCode } from './helps.video.ts'

test('a film is known by its code, and by every address that people copy', () => {
  for (const written of [
    'dQw4w9WgXcQ',
    ' dQw4w9WgXcQ ',
    'https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=10s',
    'https://youtube.com/watch?feature=share&v=dQw4w9WgXcQ',
    'https://m.youtube.com/watch?v=dQw4w9WgXcQ',
    'http://youtu.be/dQw4w9WgXcQ?si=x',
    'https://www.youtube.com/embed/dQw4w9WgXcQ',
    'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ',
    'https://www.youtube.com/shorts/dQw4w9WgXcQ',
    'https://www.youtube.com/live/dQw4w9WgXcQ?feature=share',
  ])
    expect([written, videoCode(written)]).toEqual([written, 'dQw4w9WgXcQ'])
})

test('anything else is no film', () => {
  for (const written of [
    '',
    'short',
    'twelve-chars',
    'https://vimeo.com/dQw4w9WgXcQ',
    'https://youtube.com.evil.test/watch?v=dQw4w9WgXcQ',
    'https://www.youtube.com/watch?v=../../../x',
    'https://www.youtube.com/dQw4w9WgXcQ',
    'javascript:dQw4w9WgXcQ',
    'https://youtu.be/',
  ])
    expect([written, videoCode(written)]).toEqual([written, null])
})
