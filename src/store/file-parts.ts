/** Bytes of files in the database, in parts: one value of hundreds of megabytes would pass through memory whole, here and there. */
export interface FileParts {
  /** Durable when it resolves. Rejects where there is such a part: no name is written twice. */
  write(name: string, part: number, bytes: Uint8Array): Promise<void>
  /** So many bytes of a part, from one of them on; undefined where there is no such part. */
  read(name: string, part: number, from: number, most: number): Promise<Uint8Array | undefined>
  /** All parts of these. */
  remove(names: readonly string[]): Promise<void>
  /** The next names after this one, in order, and when their last part was written, in milliseconds since 1970. */
  namesAfter(name: string, most: number): Promise<{ readonly name: string; readonly writtenAt: number }[]>
}
