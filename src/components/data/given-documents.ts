import {
  type DocumentFault,
  type DocumentResult,
  type DocumentTask,
  type GivenDocument,
  givenBytes,
  type JsonValue,
  readBytes,
  type Step,
  StepError
} from '../../plugin-api.ts'
import { describe } from './describe.ts'
import { payloadOf } from './payload-of.ts'

/** What stands in memory to be read: all documents of a step together have so many bytes. */
const MOST_READ = 25 * 1024 ** 2
/** Documents that are read with one order. */
const MOST_AT_ONCE = 1_000

type ReadingStep = Pick<Step, 'files' | 'readDocuments' | 'pause'>
type Given = GivenDocument | { readonly fault: StepError }

/** What came of a value: it may be none that a document could be. */
export type ReadValue = DocumentResult | { readonly fault: StepError }

/** Reads each of the values: a text, a file, or bytes as `{"base64"}`, also as a webhook wraps them. The results are in their order. */
export async function readValues(
  values: Iterable<JsonValue | undefined>,
  task: DocumentTask,
  step: ReadingStep
): Promise<ReadValue[]> {
  const results: ReadValue[] = []
  let left = MOST_READ
  let given: Given[] = []
  const readGiven = async () => {
    results.push(...(await readAll(given, task, step)))
    given = []
  }
  for (const value of values) {
    const document = await documentOf(value, step, left)
    given.push(document)
    if ('bytes' in document) left -= document.bytes.byteLength
    if (given.length === MOST_AT_ONCE) await readGiven()
  }
  await readGiven()
  return results
}

/** One value. Throws a StepError. */
export async function readValue(
  value: JsonValue | undefined,
  task: DocumentTask,
  step: ReadingStep
): Promise<JsonValue> {
  const [result] = await readValues([value], task, step)
  return valueIn(result!)
}

export function valueIn(result: ReadValue): JsonValue {
  if ('value' in result) return result.value
  throw result.fault instanceof StepError ? result.fault : asError(result.fault)
}

function asError({ code, message }: DocumentFault): StepError {
  return new StepError(message, { code, retryable: false })
}

async function readAll(given: readonly Given[], task: DocumentTask, step: ReadingStep): Promise<ReadValue[]> {
  const documents = given.filter((each) => 'bytes' in each)
  const read = (await step.readDocuments(task, documents)).values()
  return given.map((each) => ('bytes' in each ? read.next().value! : each))
}

async function documentOf(value: JsonValue | undefined, step: ReadingStep, most: number): Promise<Given> {
  const inner = payloadOf(value) ?? value
  if (typeof inner === 'string') {
    const bytes = new TextEncoder().encode(inner)
    if (bytes.byteLength > most) throw tooMuch()
    return { bytes, filename: '', contentType: 'text/plain; charset=utf-8' }
  }
  const bytes = givenBytes(inner)
  if (bytes === undefined) return { fault: noDocument(value) }
  const { filename, contentType } = bytes
  return { bytes: await readBytes(bytes, step.files, most), filename, contentType }
}

function tooMuch(): StepError {
  return new StepError(
    'It is more than 25 MB, which is the most that can be read at once. Send less at once.',
    { code: 'file_too_large', retryable: false }
  )
}

function noDocument(value: JsonValue | undefined): StepError {
  return new StepError(
    `It is ${describe(value)}, and a text or a file is needed. Name in Field the member that holds it.`,
    { code: 'not_a_text', retryable: false }
  )
}
