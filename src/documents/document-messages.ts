import type { DocumentTask } from '../flows/step/step-documents.ts'

/** What the service and the process that reads documents say to each other. Bytes and texts go in pieces: each message is a turn. */
export const PIECE_BYTES = 256 * 1024

/** What follows it are the documents one after the other, in pieces. */
export interface DocumentOrder {
  readonly kind: 'order'
  readonly task: DocumentTask
  readonly documents: readonly ComingDocument[]
  /** The answer may have so many characters, as JSON. */
  readonly mostCharacters: number
}

interface ComingDocument {
  readonly size: number
  readonly filename: string
  readonly contentType: string
}

export interface DocumentBytes {
  readonly kind: 'bytes'
  readonly bytes: Uint8Array
}

/** Pieces of the results as JSON, or that they are too long. */
export type DocumentAnswer =
  | { readonly kind: 'piece'; readonly text: string; readonly isLast: boolean }
  | { readonly kind: 'too-long' }
  | { readonly kind: 'failed'; readonly message: string }

export interface DocumentStart {
  /** The process that it ends with. */
  readonly parent: number
  /** Bytes of memory that it may take, buffers and all. */
  readonly mostResident: number
}
