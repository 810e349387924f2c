import type { ContactListInput, ContactListItemInput } from '../../schema/contact-lists/contact-lists.inputs.ts'
import type {
  ContactListItem as StoredItem,
  ContactList as StoredList,
} from '../../schema/contact-lists/contact-lists.table.ts'
import { api, requestBlob } from '../session/api.ts'
import type { ListSource } from '../kit/data-list.tsx'
import { useFetched, usePages } from '../session/fetched.ts'
import { useCompanyEvent } from '../session/use-event.ts'
import { importInto, type RunImport } from '../contacts/contacts.queries.ts'

export interface ContactList extends Pick<StoredList, 'id' | 'name' | 'checkState' | 'checkTotal' | 'checkDone'> {
  contactsCount: number
  validCount: number
  invalidCount: number
}
export type ContactListItem = Pick<StoredItem, 'id' | 'name' | 'number' | 'email' | 'isWhatsappValid'>

export function useContactLists(search: string): ListSource<ContactList> {
  const list = usePages<ContactList>('/contact-lists', 'records', search)
  useCompanyEvent('ContactList', list.reload)
  return list
}

export function useContactList(id: number) {
  const list = useFetched<ContactList>(`/contact-lists/${id}`)
  useCompanyEvent('ContactList', list.reload)
  return list
}

export function useContactListItems(id: number, search: string): ListSource<ContactListItem> {
  const list = usePages<ContactListItem>(`/contact-list-items?contactListId=${id}`, 'contacts', search)
  useCompanyEvent(`ContactListItem-${id}`, list.reload)
  return list
}

export const contactLists = {
  create: (input: ContactListInput) => api.post<ContactList>('/contact-lists', input),
  update: (id: number, input: ContactListInput) => api.put<ContactList>(`/contact-lists/${id}`, input),
  remove: (id: number) => api.delete(`/contact-lists/${id}`),
  check: (id: number) => api.post(`/contact-lists/${id}/check`),
  stopCheck: (id: number) => api.delete(`/contact-lists/${id}/check`),
  sample: () => requestBlob('/contact-lists/sample'),
  upload:
    (id: number): RunImport =>
    (file, options, signal) =>
      importInto(`/contact-lists/${id}/upload`, file, options, signal),
  createItem: (contactListId: number, input: ContactListItemInput) =>
    api.post('/contact-list-items', { ...input, contactListId }),
  updateItem: (id: number, input: ContactListItemInput) => api.put(`/contact-list-items/${id}`, input),
  removeItem: (id: number) => api.delete(`/contact-list-items/${id}`),
}
