import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import type { ContextTree } from '../../contexts/context-tree.ts'
import { MillraceError } from '../../errors.ts'
import { FileMissing } from '../../files/file-place.ts'
import { type Files, fileTooLarge, fileValue } from '../../files/files.ts'
import type { UploadRoom } from '../../files/upload-room.ts'
import { FileValueShape } from '../../flows/file-value-shape.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import { type Actor, canSee, coversContext } from '../../keys/rights.ts'
import type { FlowLibrary } from '../../library/flow-library.ts'
import type { StoredFile } from '../../store/files.ts'
import type { Store } from '../../store/store.ts'
import { actorOf } from '../access/access.ts'
import { noContext } from '../contexts/asked-context.ts'
import { IdParams } from '../schemas.ts'
import { readAsBytes } from '../webhook/webhook-body.ts'
import { rangeOf } from './byte-range.ts'
import { downloadHeaders, etagOf } from './download-headers.ts'
import { mayReadFile } from './file-access.ts'

interface FileRoutesDeps {
  readonly files: Files
  readonly uploads: UploadRoom
  readonly store: Pick<Store, 'files'>
  readonly library: FlowLibrary
  readonly tree: Pick<ContextTree, 'has'>
  readonly now: () => number
}

const tags = ['Files']

const UploadQuery = Type.Object({
  filename: Type.Optional(Type.String({ maxLength: 1_000, description: 'What it is called' })),
  context: Type.Optional(
    Type.String({
      description:
        'Path of the context that it belongs to; that of the key, or of its flow, where it is left out'
    })
  )
})

const Bytes = Type.String({ description: 'The bytes of the file, of any type' })

/** Files by themselves: for a run to come, and of runs that there are. */
export function fileRoutes(app: FastifyInstance, deps: FileRoutesDeps): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    // As it comes: it is written away while it is read.
    scope.addContentTypeParser('*', (_request, sent, done) => done(null, sent))
    uploadFileRoute(scope, deps)
  })
  readFileRoute(app, deps)
}

function uploadFileRoute(app: FastifyInstance, deps: FileRoutesDeps): void {
  const { files, uploads, store, now } = deps
  app.post<{ Querystring: Static<typeof UploadQuery>; Body: Readable | undefined }>(
    '/api/v1/files',
    {
      config: {
        access: 'trigger',
        takes: { body: Bytes, types: ['application/octet-stream', '*/*'], isOptional: true }
      },
      bodyLimit: files.limit,
      // Whatever the sender says of its type is told on as it is.
      onRequest: (request, _reply, done) => {
        readAsBytes(request)
        const length = Number(request.headers['content-length'] ?? 0)
        done(length > files.limit ? fileTooLarge(files.limit) : undefined)
      },
      schema: {
        tags,
        operationId: 'uploadFile',
        summary: 'Store a file for a run to come',
        description:
          'The body is the file, with its Content-Type. The answer is the file as a value: put it into the payload of a run. What no run names within a day is deleted.',
        refuses: ['context_not_found', 'file_too_large', 'uploads_limited'],
        querystring: UploadQuery,
        response: { 201: FileValueShape }
      }
    },
    async (request, reply) => {
      const actor = actorOf(request)
      const context = contextOf(request.query.context, actor, deps)
      const uploader = { context, uploadedBy: actor.keyId }
      const file = await uploads.whileTaken(uploader, mostBytes(request, files.limit), async () => {
        const kept = await files.keep(bytesOf(request.body), {
          filename: request.query.filename ?? '',
          contentType: request.sentContentType ?? '',
          ...uploader
        })
        await store.files.add(kept, now()).catch(async (error) => {
          await files.refused([kept])
          throw error
        })
        return kept
      })
      await files.stored([file])
      return reply.code(201).send(fileValue(file))
    }
  )
}

/** Who does not say how much comes may send as much as a file may have. */
function mostBytes({ headers }: FastifyRequest, limit: number): number {
  return Number(headers['content-length'] ?? limit)
}

/** A refusal in the middle must reach the sender: to stop reading would cut its connection. */
function bytesOf(body: Readable | undefined): AsyncIterable<Uint8Array> {
  return (body ?? Readable.from([])).iterator({ destroyOnReturn: false })
}

/** One that the key covers; of a key for one flow, that of the flow. */
function contextOf(asked: string | undefined, actor: Actor, { library, tree }: FileRoutesDeps): string {
  if (actor.flowId !== null) {
    const flow = library.find(actor.flowId)
    const context = asked ?? flow?.context ?? '/'
    if (flow === undefined || flow.context !== context || !canSee(actor, flow)) throw noContext(context)
    return context
  }
  const context = asked ?? actor.context ?? '/'
  if (!tree.has(context) || !coversContext(actor, context)) throw noContext(context)
  return context
}

function readFileRoute(app: FastifyInstance, deps: FileRoutesDeps): void {
  app.get<{ Params: { id: string } }>(
    '/api/v1/files/:id',
    {
      config: { access: 'read' },
      schema: {
        tags,
        operationId: 'readFile',
        summary: 'The bytes of a file',
        description:
          'As a download that no browser runs: types that one might run are sent as application/octet-stream. Takes one Range, If-Range and If-None-Match. For keys that may read a run that names the file, or the context that it came in by.',
        refuses: ['file_not_found', 'range_not_satisfiable'],
        params: IdParams,
        response: {
          200: bytesAnswer('The whole file'),
          206: bytesAnswer('The bytes of the Range'),
          304: Type.Null({ description: 'It is what If-None-Match says' })
        }
      }
    },
    async (request, reply) => {
      const file = await deps.store.files.get(request.params.id)
      if (file === undefined || !(await mayReadFile(actorOf(request), file, deps))) throw fileNotFound()
      return answerFile(file, request, reply, deps.files)
    }
  )
}

const bytesAnswer = (description: string) => ({
  description,
  content: { 'application/octet-stream': { schema: Type.String() }, '*/*': { schema: Type.String() } }
})

async function answerFile(
  file: StoredFile,
  request: FastifyRequest,
  reply: FastifyReply,
  files: Files
): Promise<FastifyReply> {
  const { 'if-none-match': known, 'if-range': ifRange, range: asked } = request.headers
  reply.headers(downloadHeaders(file))
  if (isKnown(known, file)) return reply.code(304).removeHeader('content-type').send()
  const range = rangeOf(ifRange === undefined || ifRange === etagOf(file) ? asked : undefined, file.size)
  if (range === 'none') throw noSuchBytes(file, reply)
  const { first, last } = range === 'whole' ? { first: 0, last: file.size - 1 } : range
  reply.header('content-length', last - first + 1)
  if (range !== 'whole') reply.code(206).header('content-range', `bytes ${first}-${last}/${file.size}`)
  // Where there is no stream, Fastify tells the length of nothing.
  if (request.method === 'HEAD') return reply.send(Readable.from([]))
  return reply.send(await openBytes(file, files, range === 'whole' ? undefined : range))
}

async function openBytes(file: StoredFile, files: Files, range: { first: number; last: number } | undefined) {
  try {
    return await files.open(file.name, range)
  } catch (error) {
    throw error instanceof FileMissing ? bytesMissing(file) : error
  }
}

function isKnown(header: string | undefined, file: StoredFile): boolean {
  const etag = etagOf(file)
  return header?.split(',').some((one) => ['*', etag, `W/${etag}`].includes(one.trim())) ?? false
}

/** The same words for a file that is not there and one that is not for the caller. */
function fileNotFound(): MillraceError {
  return new MillraceError(
    'file_not_found',
    'There is no file of this id. It goes with the last run that names it, or a day after it was uploaded for none.'
  )
}

function bytesMissing({ id }: StoredFile): Error {
  return new Error(`the bytes of ${id} are not where they were stored`)
}

function noSuchBytes({ size }: StoredFile, reply: FastifyReply): MillraceError {
  for (const name of ['content-disposition', 'content-type', 'content-security-policy'])
    reply.removeHeader(name)
  return new MillraceError('range_not_satisfiable', `The file has ${size} bytes, and not those.`, {
    headers: { 'content-range': `bytes */${size}` }
  })
}
