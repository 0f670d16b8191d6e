import {
  isPlainObject,
  type JsonValue,
  type Message,
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

export function conversation(system: string, history: readonly Message[], content: UserContent): ModelPrompt {
  const before = history
    .filter(({ text }) => text !== '')
    .map(({ sender, text }): ModelPrompt[number] =>
      sender === 'User'
        ? { role: 'user', content: [{ type: 'text', text }] }
        : { role: 'assistant', content: [{ type: 'text', text }] }
    )
  const instructions: ModelPrompt = system === '' ? [] : [{ role: 'system', content: system }]
  return [...instructions, ...before, { role: 'user', content }]
}

/** Addresses of pictures, one per line or as a list in JSON. */
export function imageAddresses(text: string): string[] {
  const trimmed = text.trim()
  const given = trimmed.startsWith('[') ? listIn(trimmed) : trimmed.split('\n')
  return given.map((address) => String(address).trim()).filter((address) => address !== '')
}

function listIn(text: string): unknown[] {
  try {
    return JSON.parse(text) as unknown[]
  } catch {
    throw badImage(text.slice(0, 80))
  }
}

const LARGEST_IMAGE = 20 * 1024 * 1024

/** A picture as the model takes it: by its address where the provider reads that itself, else its bytes. */
export async function imagePart(
  address: string,
  model: Model,
  request: Step['request']
): Promise<UserContent[number]> {
  const inline = /^data:(image\/[\w.+-]+);base64,(.+)$/s.exec(address)
  if (inline !== null)
    return { type: 'file', mediaType: inline[1]!, data: { type: 'data', data: inline[2]! } }
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) throw badImage(address.slice(0, 80))
  const known = await model.supportedUrls
  const isReadThere = Object.entries(known).some(
    ([type, patterns]) => /^(image|\*)/.test(type) && patterns.some((pattern) => pattern.test(address))
  )
  if (isReadThere) return { type: 'file', mediaType: 'image/*', data: { type: 'url', url: new URL(address) } }
  return downloaded(address, request)
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
  why = 'Give an address that begins with https:// or data:image/.'
): StepError {
  return new StepError(`"${what}" is not a picture that a model can take. ${why}`, {
    code: 'model_image_invalid',
    retryable: false
  })
}
