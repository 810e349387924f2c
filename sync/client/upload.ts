import type { Upload } from './outbox.sender.ts'

/** By the older way of asking, the only one that says how far a body has gone. */
export const upload: Upload = (url, { headers, body, signal }, progress) =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', url)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ lengthComputable, loaded, total }) => lengthComputable && progress(loaded / total)
    request.onload = () => {
      const wait = request.getResponseHeader('retry-after')
      const { status } = request
      resolve(new Response(request.responseText, { status, headers: wait === null ? {} : { 'retry-after': wait } }))
    }
    const lost = () => reject(new TypeError('the file did not arrive'))
    request.onerror = lost
    request.onabort = lost
    signal.addEventListener('abort', () => request.abort(), { once: true })
    if (signal.aborted) return lost()
    request.send(body)
  })
