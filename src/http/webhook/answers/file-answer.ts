import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { MillraceError } from '../../../errors.ts'
import type { Files } from '../../../files/files.ts'
import type { FileValue } from '../../../flows/file-value.ts'
import type { FileAccessDeps } from '../../files/file-access.ts'
import { internalError, problemAnswer } from '../../problem.ts'
import { answerMemory, CUT_OFF } from '../../requests/answer-memory.ts'
import type { AnswerParts } from './answer-parts.ts'

export interface FileAnswerDeps {
  readonly files: Pick<Files, 'open'>
  readonly store: FileAccessDeps['store']
}

interface FileBytes {
  readonly size: number
  readonly bytes: Readable
}

/** The bytes of a file that a step answered with. That step could open it: whoever called its flow is asked for no more. */
export async function openAnswer({ file }: FileValue, { files, store }: FileAnswerDeps): Promise<FileBytes> {
  const stored = await store.files.get(file)
  if (stored === undefined)
    throw new MillraceError('file_not_found', 'The file that the flow answered with is not there any more.')
  return { size: stored.size, bytes: await files.open(stored.name) }
}

interface FileToSend {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly file: FileValue
}

interface SendFileDeps extends FileAnswerDeps {
  readonly onError: (error: unknown, doing: string) => void
}

/** As they are read, where no framework stands between. */
async function sendFile(
  response: ServerResponse,
  { status, headers, file }: FileToSend,
  deps: SendFileDeps
): Promise<void> {
  try {
    const { size, bytes } = await openAnswer(file, deps)
    answerMemory.expectReader(response)
    response.writeHead(status, { ...headers, 'content-length': size })
    await pipeline(bytes, response)
  } catch (error) {
    // Who went away, or has got half of it, cannot be told more.
    if (response.headersSent || response.destroyed) return void response.destroy()
    const isKnown = error instanceof MillraceError
    if (!isKnown) deps.onError(error, 'sending a file that a flow answered with')
    const refusal = problemAnswer(isKnown ? error : internalError())
    response.writeHead(refusal.status, {
      ...refusal.headers,
      'content-length': Buffer.byteLength(refusal.text)
    })
    response.end(refusal.text)
  }
}

/** An answer as it is, where no framework stands between. */
export function sendParts(
  response: ServerResponse,
  { status, headers, body, file }: AnswerParts,
  deps: SendFileDeps,
  memory = answerMemory
): void {
  if (file !== undefined) return void sendFile(response, { status, headers, file }, deps)
  // Whoever has a connection that was taken from the server is known by its address, as is who waits for nobody's key.
  memory.hold(response, body.length, {
    sender: response.req.socket.remoteAddress ?? '',
    tell: () => deps.onError(new Error(CUT_OFF), 'sending what a flow answered')
  })
  // Node tells the length of what has one by itself, as long as no head was written before.
  response.statusCode = status
  for (const name in headers) response.setHeader(name, headers[name]!)
  response.end(body)
}
