import { createHash } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import type { Digest } from './content-digest.ts'
import { BYTES_NAME, type ByteRange, FileMissing, type FilePlace, type WrittenName } from './file-place.ts'
import { MeasuredBytes } from './measured-bytes.ts'
import type { ObjectStoreAddress } from './object-store-address.ts'
import { heldByFiles, writeParts } from './write-parts.ts'

export interface ObjectStoreOptions extends ObjectStoreAddress {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
  /** A folder of this machine, for bytes whose number is not known yet. */
  readonly spool: string
}

/** A busy store refuses for a moment. */
const PAUSES_MS = [100, 500, 2_000]
/** And a second more for each megabyte that it is sent. */
const ANSWER_WITHIN_MS = 60_000
const EMPTY_DIGEST = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

/**
 * Any store that speaks S3. A PUT needs the length and the digest of its bytes before the first of them, so bytes are first
 * written to a folder of this machine, which also lets it be tried again. The digest is signed: the store refuses bytes
 * that were changed on the way. The file has lost its name before anything is in it: whatever ends this process, nothing is left.
 */
export function createObjectStorePlace(options: ObjectStoreOptions): FilePlace {
  const addressOf = (name: string) =>
    `${options.url}/${options.prefix.split('/').map(encodeURIComponent).join('/')}${name}`
  const held = heldByFiles()
  const send = (request: StoreRequest) => sendSigned(request, options)
  return {
    write: async (name, bytes) => {
      const path = join(options.spool, name)
      const file = await open(path, 'wx+', 0o600)
      try {
        await rm(path)
        const measured = new MeasuredBytes(bytes, {
          limit: Number.POSITIVE_INFINITY,
          tooLarge: () => new RangeError(),
          digest: sha256()
        })
        await writeParts(file, measured, held)
        await put({ url: addressOf(name), file, ...(await measured.measured()) }, send)
      } finally {
        await file.close()
      }
    },
    read: async (name, range) => {
      const response = await send({ method: 'GET', url: addressOf(name), headers: rangeHeader(range) })
      if (response.status === 404) {
        await letGo(response)
        throw new FileMissing(name)
      }
      await assertGood(response, 'read', range === undefined ? 200 : 206)
      return response.body === null ? Readable.from([]) : Readable.fromWeb(response.body as never)
    },
    remove: async (name) => {
      const response = await send({ method: 'DELETE', url: addressOf(name) })
      if (response.status !== 404) await assertGood(response, 'removed', 204, 200)
      await letGo(response)
    },
    names: () => listNames(options, send)
  }
}

/** What a request is signed with. */
function sha256(): Digest {
  const hash = createHash('sha256')
  return { update: (part) => hash.update(part), end: async () => hash.digest('base64url') }
}

interface StoreRequest {
  readonly method: string
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  /** Of the body, in hex. */
  readonly digest?: string
  readonly body?: { readonly file: FileHandle; readonly size: number }
}

type Send = (request: StoreRequest) => Promise<Response>

interface Spooled {
  readonly url: string
  readonly file: FileHandle
  readonly digest: string
  readonly size: number
}

async function put({ url, file, digest, size }: Spooled, send: Send): Promise<void> {
  const response = await send({
    method: 'PUT',
    url,
    digest: Buffer.from(digest, 'base64url').toString('hex'),
    headers: { 'content-length': String(size), 'content-type': 'application/octet-stream' },
    body: { file, size }
  })
  await assertGood(response, 'written', 200)
  await letGo(response)
}

async function sendSigned(request: StoreRequest, options: ObjectStoreOptions): Promise<Response> {
  for (const pause of PAUSES_MS) {
    try {
      const response = await sendOnce(request, options)
      if (response.status < 500 && response.status !== 429) return response
      await letGo(response)
    } catch (error) {
      // What the store was not asked for, it may be asked for again; all requests may be repeated.
      if (!isOfNetwork(error)) throw error
    }
    await wait(pause)
  }
  return sendOnce(request, options)
}

async function sendOnce(request: StoreRequest, options: ObjectStoreOptions): Promise<Response> {
  const { accessKeyId, secretAccessKey, sessionToken, region } = options
  const { method, url, headers } = await new AwsV4Signer({
    service: 's3',
    region,
    accessKeyId,
    secretAccessKey,
    ...(sessionToken === undefined ? {} : { sessionToken }),
    method: request.method,
    url: request.url,
    headers: { ...request.headers, 'x-amz-content-sha256': request.digest ?? EMPTY_DIGEST }
  }).sign()
  const { body } = request
  // The answer has to begin in time. How long it may take to read is for who reads it.
  const abort = new AbortController()
  const timer = setTimeout(() => abort.abort(unanswered()), ANSWER_WITHIN_MS + (body?.size ?? 0) / 1_000)
  const init = { method, headers, signal: abort.signal }
  try {
    if (body === undefined) return await fetch(url, init)
    const stream = body.file.createReadStream({ start: 0, autoClose: false })
    return await fetch(url, { ...init, body: Readable.toWeb(stream), duplex: 'half' } as RequestInit)
  } finally {
    clearTimeout(timer)
  }
}

function unanswered(): Error {
  return new Error('The object store did not answer.')
}

/** fetch tells all that is wrong with the network by this one. */
function isOfNetwork(error: unknown): boolean {
  return error instanceof TypeError
}

/** A connection whose answer nobody reads to its end is never used again. */
async function letGo(response: Response): Promise<void> {
  await response.arrayBuffer().catch(() => undefined)
}

function rangeHeader(range: ByteRange | undefined): Record<string, string> {
  return range === undefined ? {} : { range: `bytes=${range.first}-${range.last}` }
}

async function assertGood(response: Response, done: string, ...good: number[]): Promise<void> {
  if (good.includes(response.status)) return
  const said = (await response.text()).slice(0, 300)
  const code = /<Code>([^<]{1,100})<\/Code>/.exec(said)?.[1]
  const why = code === undefined ? '' : ` (${code})`
  const remedy = remedyFor(response.status, code ?? '')
  throw new Error(
    `A file could not be ${done}: the object store answered ${response.status}${why}.${remedy === '' ? '' : ` ${remedy}`}`
  )
}

/** For who set it up: stores that speak S3 have these codes in common. */
function remedyFor(status: number, code: string): string {
  if (code === 'NoSuchBucket') return 'Make the bucket, or correct its name in MILLRACE_FILES.'
  if (code === 'AuthorizationHeaderMalformed' || status === 301) return 'Correct region in MILLRACE_FILES.'
  if (code === 'ExpiredToken') return 'AWS_SESSION_TOKEN has expired: use keys that do not.'
  if (status === 401 || status === 403)
    return 'Check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY: they must let Millrace list, read, write and remove there.'
  return ''
}

async function* listNames({ url, prefix }: ObjectStoreAddress, send: Send): AsyncIterable<WrittenName> {
  let next: string | undefined
  do {
    const query = new URLSearchParams({ 'list-type': '2', prefix })
    if (next !== undefined) query.set('continuation-token', next)
    const response = await send({ method: 'GET', url: `${url}?${query}` })
    await assertGood(response, 'listed', 200)
    const page = await response.text()
    yield* namesIn(page, prefix)
    next = /<NextContinuationToken>([^<]+)<\/NextContinuationToken>/.exec(page)?.[1]
  } while (next !== undefined)
}

/** Names of ours need no unescaping; others that lie there are none of ours. */
function* namesIn(page: string, prefix: string): Iterable<WrittenName> {
  for (const [, entry] of page.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
    const key = /<Key>([^<]*)<\/Key>/.exec(entry!)?.[1] ?? ''
    const name = key.slice(prefix.length)
    const writtenAt = Date.parse(/<LastModified>([^<]*)<\/LastModified>/.exec(entry!)?.[1] ?? '')
    if (BYTES_NAME.test(name) && !Number.isNaN(writtenAt)) yield { name, writtenAt }
  }
}
