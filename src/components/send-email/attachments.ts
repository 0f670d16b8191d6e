import {
  type FileValue,
  type GivenBytes,
  givenBytes,
  inFieldTurns,
  isPlainObject,
  type JsonValue,
  plainWords,
  type Step,
  StepError,
  type TemplateScope,
  type TemplateTree,
  type Turns,
  writeJson
} from '../../plugin-api.ts'
import { assertOneLine } from './one-line.ts'

export interface Attachment {
  readonly filename: string
  readonly content: string
  /** Else it is text. */
  readonly isBase64: boolean
  /** Where its bytes are, which are read when the mail is written; there is no content beside it. */
  readonly file?: FileValue
  /** By the end of its name where it is left out. */
  readonly contentType?: string
}

/** 25 MB, which is what most servers take. */
const MOST_BYTES = 25 * 1024 ** 2

const TYPE = /^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+(?:\s*;\s*[a-z0-9-]+=[a-z0-9._-]+)*$/i
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/

/** What is attached, from the field and the data. */
export function* readAttachments(tree: TemplateTree | undefined, scope: TemplateScope): Turns<Attachment[]> {
  if (tree === undefined) return []
  const rendering = tree.renderWithin({ left: MOST_BYTES }, scope.data, scope.variables)
  const given = yield* inFieldTurns('attachments', rendering)
  if (given === undefined || given === null || given === '') return []
  return (Array.isArray(given) ? given : [given]).map(readAttachment)
}

/** Before anything of it is written as mail, which takes more than twice as much. */
export function assertFits(texts: readonly string[], attachments: readonly Attachment[]): void {
  const lengths = [...texts.map((text) => text.length), ...attachments.map(bytesOf)]
  const bytes = lengths.reduce((sum, length) => sum + length, 0)
  if (bytes > MOST_BYTES) throw tooLarge(bytes)
}

/** The bytes of the attached files, by their ids. They count in what the mail may have, with their true sizes. */
export async function readFiles(
  mail: { readonly text: string; readonly html: string; readonly attachments: readonly Attachment[] },
  step: Pick<Step, 'files'>
): Promise<ReadonlyMap<string, Uint8Array>> {
  const read = new Map<string, Uint8Array>()
  let bytes = [mail.text.length, mail.html.length, ...mail.attachments.map(bytesOf)].reduce((a, b) => a + b)
  for (const { file } of mail.attachments) {
    if (file === undefined) continue
    const opened = await step.files.open(file.file)
    bytes += opened.value.size
    if (bytes > MOST_BYTES) throw tooLarge(bytes)
    if (!read.has(file.file)) read.set(file.file, await opened.bytes(MOST_BYTES))
  }
  return read
}

function bytesOf({ content, isBase64 }: Attachment): number {
  return isBase64 ? Math.floor(content.length * 0.75) : new TextEncoder().encode(content).length
}

function readAttachment(given: JsonValue, index: number): Attachment {
  const where = `attachment ${index + 1}`
  const alone = givenBytes(given)
  if (alone !== undefined) return attached(alone, {})
  if (!isPlainObject(given))
    throw invalid(
      `${where} is neither a file nor an object. Write { "name": "order.json", "content": "{order}" }.`
    )
  const { name, content = '', type, base64 = false } = given
  const bytes = givenBytes(content)
  if (bytes !== undefined && (name === undefined || name === null)) return attached(bytes, { type })
  if (typeof name !== 'string' || name.trim() === '')
    throw invalid(`${where} has no name. Write { "name": "order.json", "content": "{order}" }.`)
  assertOneLine('attachments', name)
  if (type !== undefined && type !== null && !(typeof type === 'string' && TYPE.test(type)))
    throw invalid(`the type of ${where} is not a media type, such as text/csv or application/pdf.`)
  if (bytes !== undefined) return attached(bytes, { name, type })
  const isBase64 = base64 === true || base64 === 'true'
  return {
    // Turned round, the end of a name hides what kind of file it is.
    filename: plainWords(name.trim()),
    content: isBase64 ? checked(content, name) : printed(content),
    isBase64,
    ...(typeof type === 'string' && { contentType: type })
  }
}

/** A file, or bytes in Base64, under the name and with the type that the node gives it, else under its own. */
function attached(
  bytes: GivenBytes,
  given: { readonly name?: string; readonly type?: JsonValue | undefined }
): Attachment {
  const { source } = bytes
  const filename = plainWords((given.name ?? bytes.filename).trim()) || 'attachment'
  assertOneLine('attachments', filename)
  const contentType = [given.type, bytes.contentType].find(
    (type): type is string => typeof type === 'string' && TYPE.test(type)
  )
  const named = { filename, ...(contentType !== undefined && { contentType }) }
  return 'file' in source
    ? { ...named, content: '', isBase64: false, file: source }
    : { ...named, content: checked(source.base64, filename), isBase64: true }
}

function printed(content: JsonValue): string {
  if (typeof content === 'string') return content
  return content === null ? '' : writeJson(content)
}

function checked(content: JsonValue, name: string): string {
  const text = typeof content === 'string' ? content.replaceAll(/\s/g, '') : undefined
  if (text !== undefined && BASE64.test(text) && text.replace(/=+$/, '').length % 4 !== 1) return text
  throw new StepError(
    `Field "attachments": the content of ${JSON.stringify(name.slice(0, 100))} is not base64. Set base64 to false for text, or check what the data holds.`,
    { code: 'attachment_not_base64', retryable: false }
  )
}

function invalid(words: string): StepError {
  return new StepError(`Field "attachments": ${words}`, { code: 'attachment_invalid', retryable: false })
}

function tooLarge(bytes: number): StepError {
  return new StepError(
    `The mail has ${Math.ceil(bytes / 1024 ** 2)} MB, and ${MOST_BYTES / 1024 ** 2} MB is the most. Send links instead of attachments.`,
    { code: 'message_too_large', retryable: false }
  )
}
