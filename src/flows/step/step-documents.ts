import type { JsonValue } from '../json/exact-json.ts'

/** What is to be made of a document. */
export type DocumentTask =
  /** Its text, and what is in it: pages, sheets, or the parts of a mail. */
  | {
      readonly kind: 'extract'
      /** Names of sheets; empty: all of them. */
      readonly sheets: readonly string[]
      /** Whether the first row of a sheet names its columns. */
      readonly hasHeader: boolean
    }
  /** Values out of HTML, by CSS selectors. */
  | { readonly kind: 'select'; readonly each: string; readonly values: Readonly<Record<string, string>> }
  | { readonly kind: 'xml' | 'html-text' | 'html-markdown' | 'markdown-html' | 'feed' }

/** Text is given as UTF-8, with `charset=utf-8` in its type. */
export interface GivenDocument {
  readonly bytes: Uint8Array
  /** What is said of it; empty where nothing is. */
  readonly filename: string
  readonly contentType: string
}

export interface DocumentFault {
  readonly code:
    | 'document_broken'
    | 'document_encrypted'
    | 'document_too_large'
    | 'document_unknown'
    | 'document_package_missing'
  readonly message: string
}

/** What came of one document. */
export type DocumentResult = { readonly value: JsonValue } | { readonly fault: DocumentFault }

/**
 * Reads documents, a result for each in order, in a process of its own whose memory and time are bounded: what people send may be made to
 * use up both. Rejects with `document_too_large` or `document_timeout`, which are faults of all of them.
 */
export type ReadDocuments = (
  task: DocumentTask,
  documents: readonly GivenDocument[]
) => Promise<readonly DocumentResult[]>
