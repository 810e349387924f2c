import { connect, createServer, type Socket } from 'node:net'
import { Transform } from 'node:stream'

/** A line to a server on this machine, at an address of its own, that can be made narrow on the way up, and cut. */
export async function slowLine(server: string) {
  const { hostname, port } = new URL(server)
  let bytesPerSecond = Infinity
  let isCut = false
  const sockets = new Set<Socket>()
  const listening = createServer((near) => {
    if (isCut) return void near.destroy()
    const far = connect(Number(port), hostname)
    const narrow = new Transform({
      transform: (bytes, _encoding, done) =>
        void setTimeout(done, (bytes.length / bytesPerSecond) * 1_000, null, bytes),
    })
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
    near.pipe(narrow).pipe(far)
    far.pipe(near)
  })
  const hangUp = () => {
    for (const socket of sockets) socket.destroy()
  }
  await new Promise<void>((resolve) => listening.listen(0, hostname, resolve))
  const { port: own } = listening.address() as { port: number }
  return {
    url: `http://${hostname}:${own}`,
    /** So much goes up in a second from now on. */
    narrow: (bytes: number) => void (bytesPerSecond = bytes),
    /** Nothing passes any more, until it is mended. */
    cut: () => {
      isCut = true
      hangUp()
    },
    mend: () => void (isCut = false),
    close: () => {
      listening.close()
      hangUp()
    },
  }
}
