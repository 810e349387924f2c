import type { FileListInput } from '../../schema/files/files.inputs.ts'
import { api } from '../session/api.ts'
import { filled } from '../session/own-file.ts'
import { usePages } from '../session/fetched.ts'
import type { Pages } from '../session/fetched.ts'
import { useCompanyEvent } from '../session/use-event.ts'
import { loadMedia } from '../kit/media.ts'

export interface ListedFile {
  id: number
  name: string
  /** Place in the media store; null until its bytes have come. */
  path: string | null
  mediaType: string | null
  mediaName: string | null
  mediaSize: number | null
}

export interface FileList {
  id: number
  name: string
  message: string
  options: ListedFile[]
}

export function useFileLists(search: string): Pages<FileList> {
  const list = usePages<FileList>('/files', 'files', search)
  useCompanyEvent('file', list.reload)
  return list
}

export const fileLists = {
  create: (input: FileListInput) => api.post<FileList>('/files', input),
  update: (id: number, input: FileListInput) => api.put<FileList>(`/files/${id}`, input),
  remove: (id: number) => api.delete(`/files/${id}`),
  /** The bytes of one of its files. */
  upload: (id: number, option: Pick<ListedFile, 'id' | 'name'>, file: File) =>
    api.post<FileList>(
      `/files/uploadList/${id}`,
      filled({
        fileId: String(id),
        typeArch: 'fileList',
        files: file,
        mediaType: file.type,
        name: option.name,
        id: String(option.id),
      }),
    ),
}

/** The file itself, as if it had been chosen here. @throws ApiError */
export async function fileOf(userId: number, { path, name, mediaName, mediaType }: ListedFile): Promise<File | null> {
  if (path === null) return null
  const blob = await loadMedia(userId, path)
  return new File([blob], mediaName ?? name, { type: mediaType ?? blob.type })
}
