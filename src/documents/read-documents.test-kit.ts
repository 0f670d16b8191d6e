import assert from 'node:assert/strict'
import type { DocumentResult, DocumentTask } from '../flows/step/step-documents.ts'
import type { DocumentReader, JobAnswer } from './document-reader.ts'

const OWNER = { context: '/', flow: 'flow-1' }
const NEVER = new AbortController().signal
export const EXTRACT: DocumentTask = { kind: 'extract', sheets: [], hasHeader: true }

interface Given {
  readonly content: string | Uint8Array
  readonly filename?: string
  readonly contentType?: string
}

export function ask(
  reader: DocumentReader,
  task: DocumentTask,
  given: readonly Given[],
  { signal = NEVER, mostCharacters = 1_000_000 } = {}
): Promise<JobAnswer> {
  const documents = given.map(({ content, filename = '', contentType = '' }) => {
    return { bytes: Buffer.from(content as string), filename, contentType }
  })
  return reader.read({ task, documents, mostCharacters }, signal, OWNER)
}

export async function readWith(
  reader: DocumentReader,
  task: DocumentTask,
  ...given: Given[]
): Promise<unknown[]> {
  const answer = await ask(reader, task, given)
  assert.equal(answer.kind, 'results', JSON.stringify(answer))
  assert.ok(answer.kind === 'results')
  return (JSON.parse(answer.text) as DocumentResult[]).map((result) => {
    return 'value' in result ? result.value : `${result.fault.code}: ${result.fault.message}`
  })
}
