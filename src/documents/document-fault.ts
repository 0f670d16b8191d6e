import type { DocumentFault } from '../flows/step/step-documents.ts'

/** Thrown by what reads a document, to be told to whoever sent it. */
export class BadDocument extends Error {
  override readonly name = 'BadDocument'
  readonly code: DocumentFault['code']

  constructor(code: DocumentFault['code'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

const MOST_TOLD = 300

export function brokenDocument(what: string, error: unknown): BadDocument {
  if (error instanceof BadDocument) return error
  const isDeep = error instanceof RangeError && /call stack/.test(error.message)
  const message = error instanceof Error ? error.message : String(error)
  const why = isDeep
    ? 'it is nested too deep'
    : message.split('\n')[0]!.replace(/\.$/, '').slice(0, MOST_TOLD)
  return new BadDocument(
    'document_broken',
    `This is not ${what} that can be read: ${why}. Look at what was sent.`,
    { cause: error }
  )
}
