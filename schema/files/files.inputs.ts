import { type Static, Type } from '@sinclair/typebox'
import { patterned, requiring, rowId } from '../inputs.ts'

/** So many files as one conversation takes at once. */
export const MOST_FILES = 20

/** All that people write of a file list. */
export const fileListInput = Type.Object({
  /** At least 3 characters that can be seen. */
  name: patterned({ minLength: 3, maxLength: 100, pattern: '\\S.*\\S.*\\S' }),
  message: patterned({ minLength: 1, maxLength: 4_000, pattern: '\\S' }),
  /** In their order. One with an id stays, one without is new, and one that is left out goes, with its file. */
  options: Type.Array(
    Type.Object({
      id: Type.Optional(rowId),
      name: patterned({ minLength: 1, maxLength: 255, pattern: '\\S' }),
    }),
    { maxItems: MOST_FILES },
  ),
})
export type FileListInput = Static<typeof fileListInput>

export const newFileList = requiring(fileListInput, ['name', 'message'])
export const changedFileList = requiring(fileListInput, [])
