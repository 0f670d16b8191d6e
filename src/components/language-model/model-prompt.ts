import {
  type GivenBytes,
  givenBytes,
  isPlainObject,
  type JsonValue,
  type Message,
  readBytes,
  type Step,
  StepError,
  writeJson
} from '../../plugin-api.ts'
import type { Model, ModelPrompt, UserContent } from './model-providers.ts'

/** What templates of the node read: the members of its data, all of it as `{data}`, and its text as `{text}`. */
export function templateScope(inputs: { readonly text?: unknown; readonly data?: unknown }) {
  const { text, data } = inputs
  return {
    ...(data !== undefined && { data: data as JsonValue }),
    ...(isPlainObject(data) ? (data as Record<string, JsonValue>) : {}),
    ...(text !== undefined && text !== null && { text: text as JsonValue })
  }
}

/** What is asked where the node has no prompt of its own. */
export function textOfInputs({ text, data }: { readonly text?: unknown; readonly data?: unknown }): string {
  const given = text === undefined || text === null || text === '' ? data : text
  if (given === undefined || given === null) return ''
  return typeof given === 'string' ? given : writeJson(given as JsonValue)
}

interface Before {
  readonly history: readonly Message[]
  readonly summary: string | null
}

export function conversation(
  system: string,
  { history, summary }: Before,
  content: UserContent
): ModelPrompt {
  // People have said what it sums up: it has no more weight than they have.
  const summed: ModelPrompt =
    summary === null ? [] : [{ role: 'user', content: [{ type: 'text', text: SUMMARY + summary }] }]
  const before = history
    .filter(({ text }) => text !== '')
    .map(({ sender, text }): ModelPrompt[number] =>
      sender === 'User'
        ? { role: 'user', content: [{ type: 'text', text }] }
        : { role: 'assistant', content: [{ type: 'text', text }] }
    )
  const instructions: ModelPrompt = system === '' ? [] : [{ role: 'system', content: system }]
  return [...instructions, ...summed, ...before, { role: 'user', content }]
}

const SUMMARY = 'Summary of what was said before, for information only:\n'

/** An address of a picture, or a file, or bytes in Base64. */
export type GivenImage = string | GivenBytes

/** Pictures, one per line or as a list in JSON: addresses, and files as they stand in the data. */
export function givenImages(text: string): GivenImage[] {
  const trimmed = text.trim()
  const given = trimmed.startsWith('[') ? listIn(trimmed) : inLines(trimmed)
  return given.flatMap((image): GivenImage[] => {
    const bytes = givenBytes(image)
    if (bytes !== undefined) return [bytes]
    const address = String(image).trim()
    return address === '' ? [] : [address]
  })
}

/** One file alone may stand on several. */
function inLines(text: string): JsonValue[] {
  const whole = objectIn(text)
  return whole === undefined ? text.split('\n').map((line) => objectIn(line) ?? line) : [whole]
}

function objectIn(text: string): JsonValue | undefined {
  if (!text.trim().startsWith('{')) return undefined
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return undefined
  }
}

function listIn(text: string): JsonValue[] {
  try {
    return JSON.parse(text) as JsonValue[]
  } catch {
    throw badImage(text.slice(0, 80))
  }
}

const LARGEST_IMAGE = 20 * 1024 * 1024

/** A picture as the model takes it: by its address where the provider reads that itself, else its bytes. */
export async function imagePart(
  address: GivenImage,
  model: Model,
  step: Pick<Step, 'request' | 'files'>
): Promise<UserContent[number]> {
  if (typeof address !== 'string') return filePart(address, step.files)
  const inline = /^data:(image\/[\w.+-]+);base64,(.+)$/s.exec(address)
  if (inline !== null)
    return { type: 'file', mediaType: inline[1]!, data: { type: 'data', data: inline[2]! } }
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) throw badImage(address.slice(0, 80))
  const known = await model.supportedUrls
  const isReadThere = Object.entries(known).some(
    ([type, patterns]) => /^(image|\*)/.test(type) && patterns.some((pattern) => pattern.test(address))
  )
  if (isReadThere) return { type: 'file', mediaType: 'image/*', data: { type: 'url', url: new URL(address) } }
  return downloaded(address, step.request)
}

/** Pictures, and documents that models read as such: a PDF. */
const FOR_MODELS = /^(?:image\/[\w.+-]+|application\/pdf)$/

async function filePart(given: GivenBytes, files: Step['files']): Promise<UserContent[number]> {
  const mediaType = given.contentType.split(';')[0]!.trim().toLowerCase()
  if (!FOR_MODELS.test(mediaType)) throw badImage(given.filename, `It is said to be ${mediaType}.`)
  const bytes = await readBytes(given, files, LARGEST_IMAGE)
  return { type: 'file', mediaType, data: { type: 'data', data: new Uint8Array(bytes) } }
}

async function downloaded(address: string, request: Step['request']): Promise<UserContent[number]> {
  const answer = await request(address)
  const mediaType = answer.headers['content-type']?.split(';')[0] ?? ''
  if (answer.status !== 200 || !mediaType.startsWith('image/')) {
    await answer.discard()
    throw badImage(address, `It answered ${answer.status}, ${mediaType || 'of no type'}.`)
  }
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of answer.body) {
    size += chunk.length
    if (size > LARGEST_IMAGE) throw badImage(address, 'It is larger than 20 MB.')
    chunks.push(chunk)
  }
  return { type: 'file', mediaType, data: { type: 'data', data: new Uint8Array(Buffer.concat(chunks)) } }
}

function badImage(
  what: string,
  why = 'Give a file, or an address that begins with https:// or data:image/.'
): StepError {
  return new StepError(`"${what}" is not a picture that a model can take. ${why}`, {
    code: 'model_image_invalid',
    retryable: false
  })
}
