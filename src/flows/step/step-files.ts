import type { FileValue } from '../file-value.ts'

/** Files that a step reads and makes. */
export interface StepFiles {
  /**
   * The file of this id: one that the step's run names, or one of a context that its flow sees. Rejects with `file_not_found` where it is
   * neither, whoever wrote the id into the data.
   */
  open(id: string): Promise<OpenFile>
  /** Stores the bytes, durably. The file is the run's when the step has ended; should it fail, nobody's. */
  create(
    bytes: Uint8Array | AsyncIterable<Uint8Array>,
    about: { readonly filename: string; readonly contentType: string }
  ): Promise<FileValue>
}

/** A file with its bytes. */
export interface OpenFile {
  /** As the store knows it: what the value says of name, type and size may have been written by anybody. */
  readonly value: FileValue
  /** Ends with the step. Both ends of a range are inclusive. */
  read(range?: { readonly first: number; readonly last: number }): AsyncIterable<Uint8Array>
  /** All of it; rejects with `file_too_large` where it has more bytes than `most`. */
  bytes(most: number): Promise<Uint8Array>
}
