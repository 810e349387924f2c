/** What is kept of a linked device, where it lies, and what one change of it holds. */
import type { Timer } from './session.timers.ts'

export interface JournalRow {
  id: string
  whatsappId: number
  wid: string
  /** JSON of an `InboundEvent`. */
  event: string
}

export interface ProtoRow {
  whatsappId: number
  wid: string
  message: Uint8Array
  /** Ours, leaving now: unconfirmed until the service says so. */
  awaitingAck: boolean
}

export interface KeyRow {
  whatsappId: number
  type: string
  id: string
  /** JSON; null deletes. */
  value: string | null
}

export interface Change {
  keys?: KeyRow[]
  journal?: JournalRow[]
  protos?: ProtoRow[]
  /** Journal rows whose event the product has. */
  settled?: string[]
  confirmed?: { whatsappId: number; wid: string }[]
}

/** Mutations of a Signal transaction may carry rows of ours under these names: they commit with the ratchet. */
export interface RidingRows {
  'balcao-journal'?: Record<string, JournalRow>
  'balcao-proto'?: Record<string, ProtoRow>
  /** Kept among the keys of the device, by the name of the chat. */
  'balcao-timer'?: Record<string, Timer | null>
  /** The transaction ends before its write does, which is put here. Whoever asks sees the new values at once. */
  'balcao-write'?: { write: PendingWrite }
}

export interface PendingWrite {
  /** @throws StoreError, and from then on for every later write of the device until its next link begins */
  durable?: Promise<void>
}

/** The database refused or was away; nothing was written. */
export class StoreError extends Error {
  override name = 'StoreError'
}

/** Where a sealed value lives: its seal opens nowhere else. */
export const keyPlace = (whatsappId: number, type: string, id: string): string => `key/${whatsappId}/${type}/${id}`
export const credsPlace = (whatsappId: number): string => `creds/${whatsappId}`
export const journalPlace = (id: string): string => `journal/${id}`
export const protoPlace = (whatsappId: number, wid: string): string => `proto/${whatsappId}/${wid}`
