import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { plainContentType, plainFilename } from '../../files/files.ts'
import type { Pacer } from '../../flows/in-turns.ts'
import { writeJson } from '../../flows/json/exact-json.ts'
import { objectOfPairs } from '../../flows/repeated-names.ts'
import { filenameOf, payloadKind } from '../webhook/payload/payload-kind.ts'
import { writtenPayload } from '../webhook/payload/payload-of.ts'
import { readMultipart, type SentFile } from '../webhook/payload/read-multipart.ts'
import { isJson } from '../webhook/payload/sent-payload.ts'
import { inputFrom } from '../webhook/webhook-body.ts'

interface CalledPayload {
  /** JSON, or a text that is none. */
  readonly input: Uint8Array
  /** What is the same where the same is sent again. */
  readonly identity: Uint8Array
}

interface Reading {
  readonly pace: Pacer
  readonly bodyLimit: number
}

/**
 * What a call brings to a run, read as the payload of a webhook. Files come as their bytes, in base64: a run takes rows of files when it starts
 * and by its steps, and a call is neither; all that takes a file takes these too.
 */
export async function calledPayload(
  request: Pick<FastifyRequest, 'body' | 'headers' | 'sentContentType'>,
  reading: Reading
): Promise<CalledPayload> {
  const { body, headers, sentContentType } = request
  const input = inputFrom(body)
  const written = await writtenPayload(input, sentContentType, reading.pace)
  if (written !== undefined) return written
  if (await isJson(input, reading.pace)) return { input, identity: input }
  const contentType = sentContentType!
  const isForm = payloadKind(contentType) === 'multipart'
  const filename = filenameOf(headers['content-disposition'], contentType)
  const members = isForm
    ? objectOfPairs(await pairsOf(input, { ...headers, 'content-type': contentType }, reading))
    : { payload: bytesValue({ filename, contentType }, Buffer.from(input)) }
  const read = Buffer.from(writeJson(members))
  // Each form has a boundary of its own.
  return { input: read, identity: isForm ? read : input }
}

function pairsOf(body: Uint8Array, headers: FastifyRequest['headers'], { bodyLimit }: Reading) {
  return readMultipart({
    headers,
    body: Readable.from([body]),
    limits: { bytes: bodyLimit, fieldBytes: bodyLimit },
    store: async (sent, bytes) => bytesValue(sent, Buffer.concat(await Array.fromAsync(bytes)))
  })
}

function bytesValue({ filename, contentType }: SentFile, bytes: Buffer) {
  return {
    base64: bytes.toString('base64'),
    filename: plainFilename(filename),
    content_type: plainContentType(contentType),
    size: bytes.byteLength
  }
}
