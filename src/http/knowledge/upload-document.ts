import type { FastifyInstance } from 'fastify'
import type { Static } from 'typebox'
import type { DocumentReader } from '../../documents/document-reader.ts'
import { DEFAULT_OUTPUT_LIMITS, limitLeft } from '../../engine/output-limit.ts'
import { StepError } from '../../engine/step-error.ts'
import { MillraceError } from '../../errors.ts'
import { isPlainObject, type JsonValue } from '../../flows/json/exact-json.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import type { GivenDocument } from '../../flows/step/step-documents.ts'
import type { Runs } from '../../runs/runs.ts'
import { stepDocuments } from '../../runs/steps/step-documents.ts'
import { mayRead } from '../access/access.ts'
import { DOCUMENT_OF_COLLECTION_BODY } from '../requests/body-limits.ts'
import { IdParams, notShown } from '../schemas.ts'
import { readAsBytes } from '../webhook/webhook-body.ts'
import { seenCollection } from './collections.ts'
import { ChunkSizes, TextId, type TextRoutesDeps, WRITE_REFUSALS, WrittenAnswer } from './texts.ts'

const UploadQuery = Type.Object({
  filename: Type.String({ minLength: 1, maxLength: 500, description: 'What it is called, with its ending' }),
  id: Type.Optional(TextId),
  ...ChunkSizes
})

interface UploadDeps extends TextRoutesDeps {
  readonly documents: Pick<DocumentReader, 'read' | 'limits'>
  readonly runs: Pick<Runs, 'answerPace'>
}

/** A document becomes a text of a collection, as Extract text reads it. */
export function uploadDocumentRoute(app: FastifyInstance, deps: UploadDeps): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: DOCUMENT_OF_COLLECTION_BODY },
      (_request, bytes, done) => done(null, bytes)
    )
    route(scope, deps)
  })
}

function route(app: FastifyInstance, deps: UploadDeps): void {
  app.post<{ Params: { id: string }; Querystring: Static<typeof UploadQuery>; Body: Buffer | undefined }>(
    '/api/v1/collections/:id/documents',
    {
      config: {
        access: 'write',
        takes: {
          body: Type.String({ description: 'The bytes of the document' }),
          types: ['application/octet-stream', '*/*'],
          isOptional: true
        }
      },
      bodyLimit: DOCUMENT_OF_COLLECTION_BODY,
      onRequest: (request, _reply, done) => {
        readAsBytes(request)
        done()
      },
      schema: {
        tags: ['Collections'],
        operationId: 'uploadCollectionDocument',
        summary: 'Write the text of a document into a collection',
        refuses: ['document_unreadable', ...WRITE_REFUSALS],
        description:
          'The body is a PDF, DOCX, XLSX, PPTX, EML, HTML, CSV or text. Its id is its name unless another one is given; the metadata has `filename` and `content_type`.',
        params: IdParams,
        querystring: UploadQuery,
        response: { 200: WrittenAnswer, 204: notShown() }
      }
    },
    async (request, reply) => {
      const collection = await seenCollection(request, deps)
      const { filename, id = filename, chunk = 1000, overlap = 100 } = request.query
      const contentType = request.sentContentType ?? ''
      const given = { bytes: request.body ?? new Uint8Array(), filename, contentType }
      const text = await textOf(given, collection.context, deps)
      const metadata = { filename, content_type: contentType }
      const written = { id, text, metadata, chunk, overlap }
      const { chunks } = await deps.knowledgeForPeople.write(collection, written)
      return mayRead(request) ? { id, chunks } : reply.code(204).send()
    }
  )
}

/** In the process that reads documents for flows, which take turns with this. */
async function textOf(given: GivenDocument, context: string, deps: UploadDeps): Promise<string> {
  const read = stepDocuments({
    call: { abort: new AbortController() },
    run: { flowId: '' },
    context,
    documents: deps.documents,
    outputLimit: () => limitLeft(DEFAULT_OUTPUT_LIMITS, 0),
    pause: () => deps.runs.answerPace().pause
  })
  try {
    const [result] = await read({ kind: 'extract', sheets: [], hasHeader: true }, [given])
    if (result === undefined || 'fault' in result)
      throw new StepError(result?.fault.message ?? 'It could not be read.')
    const value: JsonValue = result.value
    return isPlainObject(value) && typeof value.text === 'string' ? value.text : ''
  } catch (error) {
    if (error instanceof StepError) throw new MillraceError('document_unreadable', error.message)
    throw error
  }
}
