import { buildOperationRequest } from '../../src/components/http/operation/build-request.ts'
import { fitValue } from '../../src/components/http/operation/fit-value.ts'
import { OperationIndex } from '../../src/connections/documents/operation-index.ts'
import { packDocument } from '../../src/connections/documents/pack-document.ts'
import { atOnce, inTurns } from '../../src/flows/in-turns.ts'
import type { ApiOperation, ApiParameter, ShortSchema } from '../../src/flows/step/api-operation.ts'
import { TEXT_SHAPES } from './data-shapes.ts'
import { BODY, data, HEADER, ITEMS, type Reader, shape, shapesOf, texts } from './shapes.ts'

const LIST: ShortSchema = { type: 'array', items: { type: 'number' } }
const TREE: ShortSchema = {
  type: 'object',
  properties: { a: LIST, d: { type: 'object', properties: { a: LIST } } }
}

const PARAMETER: ApiParameter = {
  name: 'a',
  in: 'query',
  required: false,
  description: '',
  style: 'deepObject',
  explode: true,
  schema: {}
}
const OPERATION: ApiOperation = {
  id: 'read',
  method: 'GET',
  path: '/a',
  title: 'Read',
  description: '',
  parameters: [PARAMETER, { ...PARAMETER, name: 'b', style: 'form', explode: false }],
  body: null
}

function indexOf(operations: number) {
  const paths = Object.fromEntries(
    Array.from({ length: operations }, (_, at) => [
      `/a/${at}`,
      { get: { summary: `Read the ${at}th thing` } }
    ])
  )
  return packDocument({ openapi: '3.1.0', paths }).index
}

/** What is made of values for the operations of an API, and how these are found. */
export const OPERATION_READERS: readonly Reader[] = [
  {
    name: 'values as an operation wants them',
    covers: [],
    shapes: [
      ...data((value) => (pacer) => inTurns(fitValue(value, LIST, 'it'), pacer)),
      ...data((value) => (pacer) => inTurns(fitValue({ a: value, d: value }, TREE, 'it'), pacer)),
      ...shapesOf(
        TEXT_SHAPES,
        BODY / 4,
        (text) => (pacer) => attempt(() => inTurns(fitValue(text, LIST, 'it'), pacer))
      )
    ]
  },
  {
    name: 'parameters of an operation',
    covers: [],
    shapes: [
      ...texts(HEADER, (text) => atOnce(buildOperationRequest(OPERATION, { a: { b: text }, b: text }))),
      shape('many of them', ITEMS / 8, (n) => {
        const many = Array.from({ length: n }, (_, at) => at)
        return (pacer) => inTurns(buildOperationRequest(OPERATION, { a: many, b: many }), pacer)
      })
    ]
  },
  {
    name: 'operations that are looked for',
    covers: [],
    shapes: [
      shape('by words', ITEMS / 4, (n) => {
        const index = atOnce(OperationIndex.read(indexOf(n)))
        return (pacer) => inTurns(index.search('read the seventh thing of all the others'), pacer)
      }),
      shape('read', ITEMS / 4, (n) => {
        const pieces = indexOf(n)
        return (pacer) => inTurns(OperationIndex.read(pieces), pacer)
      }),
      ...texts(HEADER, (text) => atOnce(atOnce(OperationIndex.read(indexOf(10))).search(text)))
    ]
  }
]

async function attempt(work: () => unknown): Promise<void> {
  try {
    await work()
  } catch {
    // A text that is no list is refused, in as bounded a time.
  }
}
