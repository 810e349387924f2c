import { api } from './api.ts'

/** A form as the server reads it with its files; what is undefined is left out. */
export function filled(fields: Record<string, string | Blob | undefined>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.set(name, value)
  return form
}

/**
 * The one file of a row, which is sent after the row.
 * @param path of the rows, `/queue`
 */
export const ownFile = <Row>(path: string) => ({
  attach: (id: number | string, file: File) => api.post<Row>(`${path}/${id}/media-upload`, filled({ file })),
  detach: (id: number | string) => api.delete<Row>(`${path}/${id}/media-upload`),
})
