/** What is kept of the document of a connection, without its pieces. A document that is sent anew is another one. */
export interface StoredDocument {
  readonly id: string
  readonly connectionId: string
  readonly format: string
  readonly title: string
  readonly version: string
  readonly server: string | null
  /** Of the document as it was sent, in bytes. */
  readonly size: number
  readonly operations: number
  readonly updatedAt: number
}

/** How a document is kept: an index of its operations, and the operations themselves, each in pieces that are texts. */
export interface DocumentPieces {
  readonly index: readonly string[]
  readonly parts: readonly string[]
}

export interface DocumentStore {
  list(): Promise<StoredDocument[]>
  /** In place of the one that the connection had; false where there is no such connection. */
  put(document: StoredDocument, pieces: DocumentPieces): Promise<boolean>
  /** False where it had none. */
  remove(connectionId: string): Promise<boolean>
  /** All pieces of the index, in order; none where the document is gone. */
  index(id: string): Promise<string[]>
  part(id: string, part: number): Promise<string | undefined>
}
