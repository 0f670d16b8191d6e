/** A file whose bytes are durable, and which no row names yet: it is there when it is written with a run, or by itself. */
export interface NewFile {
  /** `file_` and 128 bits of chance. */
  readonly id: string
  /** SHA-256 of the bytes, in base64url: those that are alike are kept once. */
  readonly digest: string
  /** Of the bytes, in the place where files lie. Once stored, it may be that of bytes alike that came before. */
  readonly name: string
  readonly filename: string
  readonly contentType: string
  readonly size: number
  /** The path of the context that it came in by. */
  readonly context: string
  /** The key by which it was uploaded for a run to come; null for those that came with a run. */
  readonly uploadedBy: string | null
}

export interface StoredFile extends NewFile {
  readonly createdAt: number
}

/** What a run names as it is accepted, in the same commit. */
export interface NamedFiles {
  /** Those that came with it. */
  readonly files?: readonly NewFile[]
  /** Ids of those that are there already. What is gone by then is left out. */
  readonly uses?: readonly string[]
}

/** What a sweep has taken. */
export interface SweptFiles {
  /** So many were looked at; fewer than the slice where none is left. */
  readonly files: number
  /** Of bytes that no row names any more, nor ever will: they are to be removed where files lie. */
  readonly names: readonly string[]
}

/** Where bytes lie, by their name there. */
export interface StoredBytes {
  readonly name: string
  readonly digest: string
  readonly size: number
}

/** What some of the bytes come to. */
export interface CountedBytes {
  readonly count: number
  readonly bytes: number
  /** The name of the last that was counted; null where none was. */
  readonly last: string | null
}

/** What was uploaded and is named by no run yet. */
export interface UnusedFiles {
  readonly files: number
  readonly bytes: number
}

/**
 * Files are there for as long as a run names them, and for a day where none does yet. Bytes that are alike are kept under the name
 * under which they came first: who stored others by the same digest asks `knownNames`, and removes its own where they are not known.
 */
export interface FileStore {
  /** For a run to come. */
  add(file: NewFile, createdAt: number): Promise<void>
  /** Adds files to a run. Where that was deleted, nothing is known of them. */
  use(run: { readonly seq: number; readonly flowId: string }, named: NamedFiles, at: number): Promise<void>
  get(id: string): Promise<StoredFile | undefined>
  /** Of these ids, those that the run names, or another one of its family. */
  usedIn(runSeq: number, ids: readonly string[]): Promise<string[]>
  /** A call or an answer holds these ids: of those that there are, it is known from here on to all of the family. */
  noteSent(runSeq: number, ids: readonly string[]): Promise<void>
  /** Whether a call or an answer to the run, or to another one of its family, held this id. */
  wasSent(runSeq: number, id: string): Promise<boolean>
  /** The flows of the runs that name it. */
  flowsOf(id: string): Promise<string[]>
  /** Of these names, those of bytes that belong to a file. */
  knownNames(names: readonly string[]): Promise<string[]>
  /** All bytes that there are, in the order of their names, after this one. */
  bytesAfter(name: string, limit: number): Promise<StoredBytes[]>
  /** Counts so many of them at the most, after this name. */
  countBytes(name: string, limit: number): Promise<CountedBytes>
  /** Of all uploads that no run names yet, those by this key, and those into this context. */
  unused(of: { readonly uploadedBy: string } | { readonly context: string }): Promise<UnusedFiles>
  /**
   * Deletes one slice of the files that no run names and that were stored before this moment, and what is known of their bytes.
   * A run that is accepted meanwhile with the same content keeps its own.
   */
  sweep(storedBefore: number, slice: number): Promise<SweptFiles>
}
