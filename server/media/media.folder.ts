import { link, mkdir, opendir, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DomainError } from '../../schema/errors.ts'
import { type FoundFile, type MediaPort, parseMediaPath } from './media.port.ts'

/**
 * Files in a folder of this machine.
 * @param root made with its first file; files that `write` is given lie on the same disk
 */
export function mediaFolder(root: string): MediaPort {
  const placeOf = (path: string) => (parseMediaPath(path) ? join(root, path) : undefined)

  async function find(path: string): Promise<FoundFile | undefined> {
    const place = placeOf(path)
    const found = place === undefined ? undefined : await stat(place).catch(() => undefined)
    return found?.isFile() ? { size: found.size, modifiedAt: found.mtime } : undefined
  }

  async function existing(path: string): Promise<string> {
    if (!(await find(path))) throw new DomainError('ERR_NO_FILE_FOUND')
    return join(root, path)
  }

  return {
    find,
    async read(path, range) {
      const file = Bun.file(await existing(path))
      return (range ? file.slice(range.start, range.end + 1) : file).stream()
    },
    async write(path, file) {
      const place = placeOf(path)
      if (!place) throw new DomainError('ERR_NO_FILE_FOUND')
      await mkdir(dirname(place), { recursive: true, mode: 0o700 })
      try {
        // A link never replaces what is there.
        await link(file, place)
        return true
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
        throw fullDisk(error) ?? error
      }
    },
    async delete(path) {
      const place = placeOf(path)
      if (place) await rm(place, { force: true })
    },
    async deleteCompany(companyId) {
      await rm(join(root, `company${companyId}`), { recursive: true, force: true })
    },
    async *list() {
      for (const folder of await readdir(root).catch(() => []))
        for (const area of ['', 'contacts/']) {
          const entries = await opendir(join(root, folder, area)).catch(() => [])
          for await (const { name } of entries) {
            const path = `${folder}/${area}${name}`
            if (parseMediaPath(path)) yield path
          }
        }
    },
    local: async (path, work) => work(await existing(path)),
  }
}

/** @returns what a write says to a person when the disk takes no more */
export const fullDisk = (error: unknown): DomainError | undefined =>
  ['ENOSPC', 'EDQUOT', 'EFBIG'].includes((error as NodeJS.ErrnoException).code ?? '')
    ? new DomainError('ERR_STORAGE_FULL')
    : undefined
