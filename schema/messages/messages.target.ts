import type { ChatAddress } from './messages.content.ts'

/** A message as WhatsApp knows it. */
export interface MessageTarget<Author> {
  chat: ChatAddress
  wid: string
  fromMe: boolean
  /** In a group, who wrote it. */
  participant: Author | null
}
