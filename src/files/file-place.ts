import type { Readable } from 'node:stream'

/**
 * Where the bytes of files lie: a folder, the database, an object store. Each write has a name that was never used before, and whoever
 * keeps the name in the store after the write holds durable bytes. So bytes without a row are left over from a write that did
 * not come to its end, and those whose row is gone can be removed at leisure: no new row will ever name them.
 */
export interface FilePlace {
  /** Resolves when the bytes are durable. Where it rejects, what was written so far is removed, or found by `names` later. */
  write(name: string, bytes: AsyncIterable<Uint8Array>): Promise<void>
  /** Rejects with FileMissing where there is nothing by that name. */
  read(name: string, range?: ByteRange): Promise<Readable>
  /** Of what is not there, too. */
  remove(name: string): Promise<void>
  names(): AsyncIterable<WrittenName>
}

/** Both ends are inclusive, as in a Range header. */
export interface ByteRange {
  readonly first: number
  readonly last: number
}

export interface WrittenName {
  readonly name: string
  /** Milliseconds since 1970. */
  readonly writtenAt: number
}

/** The bytes of a file that the store knows are not where they were written. */
export class FileMissing extends Error {
  constructor(name: string, cause?: unknown) {
    super(`The bytes "${name}" are not where they were stored.`, { cause })
    this.name = 'FileMissing'
  }
}

/** Long enough that nobody finds one by trying, and plain enough for any file system and object store. */
export const BYTES_NAME = /^[0-9a-f]{32}$/
