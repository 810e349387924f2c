import { type FoundFile, type MediaPort, parseMediaPath } from './media.port.ts'

/**
 * Files on their way from one place to another: new ones go `to`, and what still lies `from` is found there. A file that
 * is being moved is never in neither: it is there before it is gone here.
 */
export function mediaBoth(to: MediaPort, from: MediaPort): MediaPort {
  /** Where a file lies; it may be moved between two looks. */
  async function placeOf(path: string): Promise<{ port: MediaPort; found: FoundFile } | undefined> {
    for (const port of parseMediaPath(path) ? [to, from, to] : []) {
      const found = await port.find(path)
      if (found) return { port, found }
    }
    return undefined
  }

  /** Asked where most files lie; elsewhere only for what is not there. */
  async function atEither<T>(path: string, work: (port: MediaPort) => Promise<T>): Promise<T> {
    for (const port of [to, from])
      try {
        return await work(port)
      } catch (error) {
        if ((error as { code?: unknown }).code !== 'ERR_NO_FILE_FOUND' || !parseMediaPath(path)) throw error
      }
    return work(to)
  }

  return {
    find: async (path) => (await placeOf(path))?.found,
    read: (path, range) => atEither(path, (port) => port.read(path, range)),
    async write(path, file) {
      // What is there already stays, wherever it is.
      if (parseMediaPath(path) && (await from.find(path))) return false
      return to.write(path, file)
    },
    async delete(path) {
      // In this order: what a move has read and not yet written, it sees to be gone.
      await from.delete(path)
      await to.delete(path)
    },
    async deleteCompany(companyId) {
      await from.deleteCompany(companyId)
      await to.deleteCompany(companyId)
    },
    async *list() {
      yield* to.list()
      for await (const path of from.list()) if (!(await to.find(path))) yield path
    },
    local: async (path, work) => {
      const place = await placeOf(path)
      return (place?.port ?? to).local(path, work)
    },
  }
}
