import { useMemo } from 'react'
import type { QuickMessageInput } from '../../schema/quick-messages/quick-messages.inputs.ts'
import type { QuickMessage as Stored } from '../../schema/quick-messages/quick-messages.table.ts'
import { quickMessageWire } from '../../schema/wire.ts'
import { api } from '../session/api.ts'
import { ownFile } from '../session/own-file.ts'
import type { ListSource } from '../kit/data-list.tsx'
import { useWithOfflineCopy } from '../kit/offline-copy.ts'
import { usePages } from '../session/fetched.ts'
import { columnsOf } from '../replica/columns.ts'
import type { Rows } from '../replica/rows.ts'
import { useCompanyEvent } from '../session/use-event.ts'

export type QuickMessage = Pick<Stored, 'id' | 'userId' | 'mediaName' | keyof QuickMessageInput>

const synced = columnsOf<'quickMessages'>()({
  id: true,
  companyId: false,
  userId: true,
  shortcode: true,
  message: true,
  isGeneral: true,
  status: true,
  mediaPath: false,
  mediaName: true,
  mediaMime: false,
  mediaSize: false,
  createdAt: false,
  updatedAt: false,
})
const copyOf = (search: string): Rows<QuickMessage> => ({
  query: {
    sql: `SELECT ${synced.text()} FROM quick_messages
    WHERE strpos(lower(shortcode), $1) > 0 OR strpos(lower(message), $1) > 0 ORDER BY lower(shortcode), id`,
    params: [search],
    tables: ['quick_messages'],
  },
  read: synced.read,
  keyOf: ({ id }) => id,
})

type Told = ReturnType<typeof quickMessageWire.write<QuickMessage>>
const { read, write } = quickMessageWire

export function useQuickMessages(search: string): ListSource<QuickMessage> {
  const list = usePages<Told>('/quick-messages', 'records', search)
  useCompanyEvent('quickmessage', list.reload)
  const data = useMemo(() => list.data?.map(read), [list.data])
  return useWithOfflineCopy({ ...list, data }, copyOf(search))
}

export const quickMessages = {
  create: async (input: QuickMessageInput) => read(await api.post<Told>('/quick-messages', write(input))),
  update: async (id: number, input: Partial<QuickMessageInput>) =>
    read(await api.put<Told>(`/quick-messages/${id}`, write(input))),
  remove: (id: number) => api.delete(`/quick-messages/${id}`),
  ...ownFile<Told>('/quick-messages'),
}
