import type { Static } from 'typebox'
import { MillraceError } from '../../errors.ts'
import { Type } from '../../flows/json/schema-builder.ts'

const Part = Type.Object({
  type: Type.String({ description: 'text, image_url with a data: address, or file with file_data' }),
  text: Type.Optional(Type.String()),
  image_url: Type.Optional(Type.Object({ url: Type.String() })),
  file: Type.Optional(
    Type.Object({ filename: Type.Optional(Type.String()), file_data: Type.Optional(Type.String()) })
  )
})

type Part = Static<typeof Part>

export const ChatMessage = Type.Object({
  role: Type.Enum(['system', 'developer', 'user', 'assistant', 'tool', 'function']),
  content: Type.Optional(Type.Union([Type.String(), Type.Array(Part), Type.Null()]))
})

export type ChatMessage = Static<typeof ChatMessage>

/** Bytes that came in a message. */
export interface SentFile {
  readonly filename: string
  readonly contentType: string
  readonly bytes: Buffer
}

interface Conversation {
  readonly text: string
  /** What was said before, as sessions hold it. */
  readonly said: readonly { readonly sender: 'User' | 'Machine'; readonly text: string }[]
  /** What the client wants of the model; what the flow makes of it is its affair. */
  readonly system: string
  readonly files: readonly SentFile[]
}

const SENDERS: Readonly<Record<string, 'User' | 'Machine'>> = { user: 'User', assistant: 'Machine' }

/** The last message of the person is what starts the flow, and what was said before is its history. */
export function readMessages(messages: readonly ChatMessage[]): Conversation {
  const at = messages.findLastIndex(({ role }) => role === 'user')
  if (at < 0)
    throw refused('It holds no message of the role "user": that is what starts the flow.', '/messages')
  const asked = messages[at]!
  const path = `/messages/${at}/content`
  const count = partsOf(asked).filter(({ type }) => type !== 'text').length
  if (count > MOST_FILES) throw refused(`It holds ${count} files. Send at most ${MOST_FILES} at once.`, path)
  const files = partsOf(asked).flatMap((part, index) => fileIn(part, `${path}/${index}`))
  const text = textOf(asked)
  if (text === '' && files.length === 0) throw refused('The last message of the role "user" is empty.', path)
  const said = messages.slice(0, at).flatMap((message) => {
    const sender = SENDERS[message.role]
    const said = textOf(message)
    return sender === undefined || said === '' ? [] : [{ sender, text: said }]
  })
  const system = messages.filter(({ role }) => role === 'system' || role === 'developer').map(textOf)
  return { text, said, system: system.join('\n\n'), files }
}

function textOf(message: ChatMessage): string {
  const texts = partsOf(message).map(({ type, text }) => (type === 'text' ? (text ?? '') : ''))
  return texts.filter((text) => text !== '').join('\n')
}

function partsOf({ content = null }: ChatMessage): readonly Part[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return content ?? []
}

function fileIn(part: Part, path: string): SentFile[] {
  switch (part.type) {
    case 'text':
      return []
    case 'image_url':
      return [fileOf(part.image_url?.url, 'image', `${path}/image_url/url`)]
    case 'file':
      return [fileOf(part.file?.file_data, part.file?.filename ?? 'file', `${path}/file/file_data`)]
    default:
      throw refused(
        `A part of the type ${JSON.stringify(part.type.slice(0, 40))} is not taken. Send text, image_url or file.`,
        `${path}/type`
      )
  }
}

/** Nothing is fetched in the name of whoever sends an address. */
function fileOf(data: string | undefined, filename: string, path: string): SentFile {
  const head = /^data:([\w.+-]+\/[\w.+-]+)?(?:;[\w=.+-]+)*;base64,/.exec(data?.slice(0, LONGEST_HEAD) ?? '')
  if (data === undefined || head === null)
    throw refused(
      'Send the bytes themselves, as data:<type>;base64,<bytes>: addresses are not fetched.',
      path
    )
  const contentType = head[1] ?? 'application/octet-stream'
  return { filename, contentType, bytes: Buffer.from(data.slice(head[0].length), 'base64') }
}

const LONGEST_HEAD = 300

/** As in any chat: each is kept by itself, and 5,000 of one byte took the service half a minute. */
const MOST_FILES = 20

function refused(message: string, path: string): MillraceError {
  return new MillraceError('invalid_request', message, {
    errors: [{ code: 'invalid_message', path, message }]
  })
}
