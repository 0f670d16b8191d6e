import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { atOnce } from '../../flows/in-turns.ts'
import type { ApiOperation } from '../../flows/step/api-operation.ts'
import { DocumentFault } from './document-fault.ts'
import { largeDocument } from './large-document.test-kit.ts'
import { OperationIndex } from './operation-index.ts'
import { packDocument, unpackOperations } from './pack-document.ts'
import { parseDocument } from './parse-document.ts'

const read = async (text: string) => parseDocument(Buffer.from(text))
const parse = (document: unknown) => read(JSON.stringify(document))

async function operationsOf(document: unknown): Promise<ApiOperation[]> {
  return packDocument(await parse(document)).parts.flatMap(unpackOperations)
}

function withSchemas(schema: unknown, schemas: Record<string, unknown> = {}) {
  const content = { 'application/json': { schema } }
  return {
    openapi: '3.0.0',
    paths: { '/a': { post: { operationId: 'a', requestBody: { content } } } },
    components: { schemas }
  }
}

const refused = (document: Promise<unknown>, says: RegExp) =>
  assert.rejects(document, (error) => error instanceof DocumentFault && says.test(error.message))

describe('a document of an API', () => {
  it('may be large, and lead in circles', async () => {
    const packed = packDocument(await parse(largeDocument({ operations: 200 })))
    assert.equal(packed.operations, 200)
    const operations = packed.parts.flatMap(unpackOperations)
    assert.equal(operations.length, 200)
    assert.ok(operations.every((operation) => JSON.stringify(operation).length < 150_000))
    const index = atOnce(OperationIndex.read(packed.index))
    const [found] = atOnce(index.search('create a release'))
    assert.match(found!.title, /^Create a release/)
    assert.equal(
      unpackOperations(packed.parts[found!.part]!).some(({ id }) => id === found!.id),
      true
    )
  })

  it('reads no file and asks nobody', async () => {
    for (const $ref of [
      'file:///etc/passwd',
      './other.json#/a',
      'https://a.example/b.json',
      '/etc/passwd',
      '#/nowhere'
    ]) {
      const [operation] = await operationsOf(withSchemas({ $ref }))
      assert.deepEqual(operation!.body!.schema, {})
    }
  })

  it('goes round in no circle', async () => {
    const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
    const schemas = {
      self: ref('self'),
      a: ref('b'),
      b: ref('a'),
      c: { allOf: [ref('c'), { type: 'object' }] }
    }
    for (const name of ['self', 'a']) {
      const [operation] = await operationsOf(withSchemas(ref(name), schemas))
      assert.deepEqual(operation!.body!.schema, {})
    }
    const [joined] = await operationsOf(withSchemas(ref('c'), schemas))
    assert.deepEqual(joined!.body!.schema, { type: 'object' })
  })

  it('grows with no reference to references', async () => {
    const schemas = Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => {
        const next = { $ref: `#/components/schemas/s${at + 1}` }
        return [`s${at}`, { type: 'object', properties: { a: next, b: next, c: next }, allOf: [next, next] }]
      })
    )
    const [operation] = await operationsOf(withSchemas({ $ref: '#/components/schemas/s0' }, schemas))
    assert.ok(JSON.stringify(operation).length < 100_000)
  })

  it('has no more depth, values and aliases than documents of people', async () => {
    await refused(read(`{"a":${'['.repeat(20_000)}`), /500 levels/)
    await refused(read(`a: ${'['.repeat(20_000)}`), /500 levels/)
    await refused(read(`${'- '.repeat(20_000)}a`), /500 levels/)
    await refused(read(`[${'[],'.repeat(3_000_000)}[]]`), /more than 4000000 values/)
    const bomb = Array.from({ length: 30 }, (_, at) =>
      at === 0 ? 'a0: &a0 [x, x]' : `a${at}: &a${at} [*a${at - 1}, *a${at - 1}]`
    )
    await refused(read(bomb.join('\n')), /neither JSON nor YAML: .*alias/i)
  })

  it('may be YAML, also with names that are numbers', async () => {
    const yaml = [
      'openapi: 3.0.1',
      'info: {title: Shop, version: 2}',
      'paths:',
      '  /orders:',
      '    get:',
      '      summary: List orders',
      '      responses:',
      '        200: {description: ok}'
    ].join('\n')
    const packed = packDocument(await read(yaml))
    assert.deepEqual(packed.facts, { format: 'OpenAPI 3.0', title: 'Shop', version: '2', server: null })
    assert.equal(packed.parts.flatMap(unpackOperations)[0]!.id, 'GET /orders')
  })

  it('may be Swagger 2, with bodies and forms among the parameters', async () => {
    const body = { name: 'pet', in: 'body', required: true, schema: { $ref: '#/definitions/Pet' } }
    const file = { name: 'photo', in: 'formData', type: 'file', required: true }
    const tags = {
      name: 'tags',
      in: 'query',
      type: 'array',
      items: { type: 'string' },
      collectionFormat: 'pipes'
    }
    const [add, upload] = await operationsOf({
      swagger: '2.0',
      host: 'pets.example',
      basePath: '/v2',
      definitions: { Pet: { type: 'object', properties: { name: { type: 'string' } } } },
      paths: { '/pets': { post: { parameters: [body, tags] }, put: { parameters: [file] } } }
    })
    assert.partialDeepStrictEqual(add, {
      parameters: [{ name: 'tags', style: 'pipeDelimited', explode: false, schema: { type: 'array' } }],
      body: {
        required: true,
        content_type: 'application/json',
        schema: { properties: { name: { type: 'string' } } }
      }
    })
    assert.deepEqual(upload!.body, {
      required: true,
      content_type: 'multipart/form-data',
      description: '',
      schema: {
        type: 'object',
        properties: { photo: { type: 'string', format: 'binary' } },
        required: ['photo']
      }
    })
  })

  it('joins what is said in parts, and leaves out what only answers have', async () => {
    const [operation] = await operationsOf(
      withSchemas({
        allOf: [{ type: 'object', required: ['a', 'id'], properties: { a: { type: 'string' } } }],
        properties: { id: { type: 'integer', readOnly: true }, b: { type: ['string', 'null'] } }
      })
    )
    const { properties, type, required } = operation!.body!.schema
    assert.deepEqual(
      [type, properties, required],
      ['object', { a: { type: 'string' }, b: { type: 'string', nullable: true } }, ['a']]
    )
  })

  it('asks for nothing that only answers have, in whichever part that is said', async () => {
    const base = { properties: { id: { readOnly: true }, name: { readOnly: true } } }
    const [operation] = await operationsOf(
      withSchemas({ allOf: [base, { properties: { name: {} } }], required: ['id', 'name'] })
    )
    assert.deepEqual(operation!.body!.schema, {
      type: 'object',
      properties: { name: {} },
      required: ['name']
    })
    // Also where there are more members before it than are read.
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`m${at}`, {}]))
    const properties = { ...many, id: { readOnly: true } }
    const [large] = await operationsOf(withSchemas({ properties, required: ['id'] }))
    assert.equal(large!.body!.schema.required, undefined)
  })

  it('is read in bounded time where ten thousand operations name a hundred thousand members', async () => {
    const answered = { readOnly: true }
    const Wide = {
      properties: Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`m${at}`, answered]))
    }
    const { requestBody } = withSchemas({ $ref: '#/components/schemas/Wide' }).paths['/a'].post
    const paths = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, at) => [`/${at}`, { post: { requestBody } }])
    )
    const document = await parse({ openapi: '3.0.0', paths, components: { schemas: { Wide } } })
    const { user } = process.cpuUsage()
    assert.equal(packDocument(document).operations, 10_000)
    assert.ok(process.cpuUsage().user - user < 5_000_000)
  })
})
