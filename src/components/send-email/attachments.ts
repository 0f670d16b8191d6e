import {
  inFieldTurns,
  isPlainObject,
  type JsonValue,
  plainWords,
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

function bytesOf({ content, isBase64 }: Attachment): number {
  return isBase64 ? Math.floor(content.length * 0.75) : new TextEncoder().encode(content).length
}

function readAttachment(given: JsonValue, index: number): Attachment {
  const where = `attachment ${index + 1}`
  if (!isPlainObject(given))
    throw invalid(`${where} is not an object. Write { "name": "order.json", "content": "{order}" }.`)
  const { name, content = '', type, base64 = false } = given
  if (typeof name !== 'string' || name.trim() === '')
    throw invalid(`${where} has no name. Write { "name": "order.json", "content": "{order}" }.`)
  assertOneLine('attachments', name)
  if (type !== undefined && type !== null && !(typeof type === 'string' && TYPE.test(type)))
    throw invalid(`the type of ${where} is not a media type, such as text/csv or application/pdf.`)
  const isBase64 = base64 === true || base64 === 'true'
  return {
    // Turned round, the end of a name hides what kind of file it is.
    filename: plainWords(name.trim()),
    content: isBase64 ? checked(content, name) : printed(content),
    isBase64,
    ...(typeof type === 'string' && { contentType: type })
  }
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
