/** The company and the area of what has a path in the store. */
export interface MediaPlace {
  companyId: number
  /** `contacts` is for pictures of people, which the whole company may see. */
  area: 'messages' | 'contacts'
}

/** The only paths there are: nothing of them comes from a person. */
const PATH = /^company([1-9][0-9]{0,9})\/(contacts\/)?[a-f0-9]{48}\.[a-z0-9]{1,8}$/

/** The company and the area that a path lies in, or undefined for what is not a path of the store. */
export function parseMediaPath(path: string): MediaPlace | undefined {
  const match = PATH.exec(path)
  return match ? { companyId: Number(match[1]), area: match[2] ? 'contacts' : 'messages' } : undefined
}

export interface FoundFile {
  /** Bytes. */
  size: number
  modifiedAt: Date
}

/**
 * Where files lie: a folder of this machine or a bucket. Paths are relative, with slashes (`company1/x4f….png`); of what is
 * not a path of the store (`parseMediaPath`) there is no file. A file never changes once it is there.
 *
 * Where the place cannot be reached, every call throws `DomainError` `ERR_UNAVAILABLE`; where it is full, `write` throws
 * `ERR_STORAGE_FULL`.
 */
export interface MediaPort {
  find(path: string): Promise<FoundFile | undefined>
  /**
   * The bytes of a file.
   * @param range first and last byte, counted from 0, both included; the whole file without it
   * @throws DomainError `ERR_NO_FILE_FOUND`
   */
  read(path: string, range?: { start: number; end: number }): Promise<ReadableStream<Uint8Array>>
  /**
   * Puts a copy of a file of this machine there, whole or not at all. What is there already stays.
   * @param file absolute path, on the disk to its last byte
   * @returns whether it is new there
   */
  write(path: string, file: string): Promise<boolean>
  /** No error where there is no such file. */
  delete(path: string): Promise<void>
  /** Every file of a company. Can be begun again where it was interrupted. */
  deleteCompany(companyId: number): Promise<void>
  /** Every path, in no order. */
  list(): AsyncIterable<string>
  /**
   * For programs that read a file by its name.
   * @param work is given an absolute path, which is good until its promise has settled
   * @throws DomainError `ERR_NO_FILE_FOUND`
   */
  local<T>(path: string, work: (file: string) => Promise<T>): Promise<T>
}
