import { builtInCatalogue } from '../../src/contexts/catalogue.test-kit.ts'
import { didYouMean } from '../../src/flows/closest-name.ts'
import { compareInTurns } from '../../src/flows/document/compare-flows.ts'
import type { FlowDocument } from '../../src/flows/document/flow-document.ts'
import { nodeDigestInTurns } from '../../src/flows/document/node-digest-in-turns.ts'
import { atOnce, inTurns, type Pacer } from '../../src/flows/in-turns.ts'
import { BoundedText, writeJsonTo } from '../../src/flows/json/bounded-text.ts'
import {
  parseDocumentInTurns,
  parsePlainInTurns,
  writeJsonInTurns
} from '../../src/flows/json/document-json.ts'
import { type JsonValue, writeJson } from '../../src/flows/json/exact-json.ts'
import { readPayloadInTurns } from '../../src/flows/json/read-payload.ts'
import { readDraftInTurns } from '../../src/flows/validate/draft-document.ts'
import { validateFlow } from '../../src/flows/validate/validate-flow.ts'
import { flowLoopFault } from '../../src/library/flow-loop.ts'
import { verdictOf } from '../../src/library/judge-flow.ts'
import type { Shape, Work } from './measure.ts'
import { BODY, data, ITEMS, json, type Reader, shape } from './shapes.ts'

const catalogue = builtInCatalogue()

function flowOf(n: number, node: (at: number) => object, edge?: (at: number) => object, edges = n) {
  const nodes = Array.from({ length: n }, (_, at) => ({ id: `n${at}`, type: 'parser', ...node(at) }))
  const wires = edge === undefined ? [] : Array.from({ length: edges }, (_, at) => edge(at))
  return { name: 'Test', slug: 'test', nodes, edges: wires }
}

const wire = (from: number, to = from + 1) => ({ from: `n${from}.parsed_text`, to: `n${to}.data` })

const WITH_MOST = [
  'nodes',
  'a ring',
  'wires over all of it',
  'triggers',
  'schedules that never come',
  'wrong members everywhere'
]

/** Of the largest that there may be, of 10,000 nodes and 50,000 wires, to put it in order is one turn. */
function documents(name: string, make: (n: number) => ReturnType<typeof flowOf>): Shape[] {
  const judge = (n: number) => {
    const document = make(n)
    return async (pacer: Pacer) => {
      await inTurns(verdictOf(document, catalogue), pacer)
      await inTurns(flowLoopFault(document as unknown as FlowDocument, { find: () => undefined }), pacer)
      await inTurns(readDraftInTurns(document), pacer)
    }
  }
  const most = { ...shape(`${name}, the most`, 2_500, judge), turnMs: 80 }
  return WITH_MOST.includes(name) ? [shape(name, 200, judge), most] : [shape(name, 200, judge)]
}

/** A text may be five times as long, which takes a fifth of a second in one turn: see field-lengths.ts. */
const MOST_OF_FIELD = 100_000

/** So long, and as a document can have them. */
const LONG_FIELDS: readonly [name: string, node: (length: number) => object][] = [
  ['placeholders', (n) => ({ fields: { template: '{n}'.repeat(n / 3) } })],
  ['inputs', (n) => ({ type: 'prompt', fields: { template: '{n}'.repeat(n / 3) } })],
  ['CEL', (n) => ({ type: 'filter', fields: { expression: '9'.repeat(n) } })],
  ['quotes of SQL', (n) => ({ type: 'sql', fields: { query: `select ${'$a$ '.repeat(n / 4 - 2)}` } })],
  ['comments of SQL', (n) => ({ type: 'sql', fields: { query: '/*'.repeat(n / 2) } })],
  [
    'JSONata',
    (n) => ({ type: 'transform', fields: { expression: `a${'.a'.repeat(95)}+`.repeat(n / 192) + 1 } })
  ],
  [
    'headers',
    (n) => ({
      type: 'api-request',
      fields: { headers: Object.fromEntries(Array.from({ length: n / 20 }, (_, at) => [`h${at}`, '{a}'])) }
    })
  ]
]

const wide = (members: number, before = '') =>
  `{${Array.from({ length: members }, (_, at) => `"${before}${at.toString(36)}":1`).join()}}`

const payload = (body: Uint8Array | string) => (pacer: Pacer) => inTurns(readPayloadInTurns(body), pacer)

/** What a document may hold. */
const TAKEN = { depth: 1_000, members: 20_000, values: 1_000_000 }

function digestAndCompare(value: JsonValue): Work {
  const fields = { a: value }
  const [before, after] = [fields, structuredClone(fields)].map((each) => ({
    nodes: [{ id: 'n', type: 'parser', fields: each }],
    edges: []
  }))
  return async (pacer) => {
    await inTurns(nodeDigestInTurns({ type: 'parser', fields }), pacer)
    await inTurns(
      compareInTurns(before!, after!, () => undefined),
      pacer
    )
  }
}

const TEN_MB = 10 * 1024 * 1024

/** What reads and writes JSON, and documents of flows. */
export const DOCUMENT_READERS: readonly Reader[] = [
  {
    name: 'documents as they are sent',
    covers: ['src/flows/json/document-json.ts', 'src/flows/json/reading-bounds.ts'],
    shapes: [
      ...[
        '1',
        '1.0',
        '-0',
        '{}',
        '"\\n"',
        '[[]]',
        '{"id":"n1","type":"parser","fields":{"template":"{a}"}}'
      ].map((item) =>
        shape(item, TEN_MB / 4, (n) => {
          const body = json(n, item)
          return (pacer) => inTurns(parsePlainInTurns(body, TAKEN), pacer)
        })
      ),
      ...['1', '{}', '12345678901234567890', '{"fields":{"a":12345678901234567890}}'].map((item) =>
        shape(`${item} beside a long integer`, TEN_MB / 4, (n) => {
          const body = `{"fields":${json(n, item)},"a":12345678901234567890}`
          return (pacer) => inTurns(parseDocumentInTurns(body, TAKEN), pacer)
        })
      ),
      shape('members', TEN_MB / 4, (n) => {
        const body = `{${Array.from({ length: n / 12 }, (_, at) => `"f${at}":1`).join()}}`
        return (pacer) => inTurns(parsePlainInTurns(body, TAKEN), pacer)
      }),
      shape('what is written again', 250_000, (n) => {
        const document = {
          nodes: Array.from({ length: n / 10 }, (_, at) => ({ id: `n${at}`, fields: { a: 1 } }))
        }
        return (pacer) => inTurns(writeJsonInTurns(document), pacer)
      }),
      shape('wide objects that are written again', 4, (n) => {
        const wide = Object.fromEntries(Array.from({ length: 19_000 }, (_, at) => [`k${at}`, 1]))
        const document = { nodes: Array.from({ length: n }, () => ({ ...wide })) }
        return (pacer) => inTurns(writeJsonInTurns(document), pacer)
      }),
      shape('many items of notes', 24, (n) => {
        const nodes = Array.from({ length: 9_990 }, (_, at) => `z${at}`)
        const note = (at: number) => ({ id: `m${at}`, text: 'x', position: { x: 0, y: 0 }, nodes })
        const document = { ...flowOf(1, () => ({})), notes: Array.from({ length: n }, (_, at) => note(at)) }
        return (pacer) => inTurns(verdictOf(document, catalogue), pacer)
      })
    ]
  },
  {
    name: 'digests of nodes, and what two documents differ in',
    covers: [],
    shapes: [
      ...data(digestAndCompare, 20_000, [
        'empty rows',
        'equal rows',
        'texts',
        'a long text',
        'escaped text',
        'a deep list'
      ]),
      ...data(digestAndCompare, ITEMS, ['rows of many objects'])
    ]
  },
  {
    name: 'payloads',
    covers: [
      'src/flows/json/exact-json.ts',
      'src/flows/json/parse-json-in-turns.ts',
      'src/flows/json/read-payload.ts',
      'src/flows/json/read-exactly.ts',
      'src/http/requests/decode-body.ts',
      'src/http/requests/exact-body.ts'
    ],
    shapes: [
      ...['1', '""', '{}', '"\\\\"', '"\\""', 'null', '{"a":1}'].map((item) =>
        shape(item, BODY, (n) => payload(Buffer.from(json(n, item))))
      ),
      // Numbers that are kept as they were written, among what is not: read by hand.
      ...[
        '1234567890.10',
        '1e5',
        '-0',
        '{"a":1.0}',
        '[1.0]',
        '{"k\\n":-0}',
        '"\\u0041",1.0',
        '1,1,1,1e-7'
      ].map((item) => shape(item, BODY, (n) => payload(Buffer.from(`[${json(n, item)},-0]`)))),
      shape('depth', BODY, (n) => payload('['.repeat(n))),
      shape('backslashes', BODY, (n) => payload(`"${'\\'.repeat(n)}`)),
      shape('quotes', BODY, (n) => payload('"'.repeat(n))),
      shape('digits', BODY, (n) => payload('1'.repeat(n))),
      shape('equal keys', BODY, (n) => payload(`{${'"a":1,'.repeat(n / 6)}"a":1}`)),
      // The shortest names that there are: at the largest size 140,000 of them, of which no object takes so many.
      ...['', '\\n'].map((before) =>
        shape(`distinct keys ${before}`, BODY, (n) => payload(wide(n / 8, before)))
      ),
      shape('distinct keys, all taken', BODY / 8, (n) => payload(wide(n / 8))),
      // Of what an API answers, of up to 16 MB.
      shape('digits of megabytes', 4 * BODY * 4, (n) => payload('1'.repeat(n))),
      shape('spaces of megabytes', 4 * BODY * 4, (n) => payload(`[${' '.repeat(n)}]`))
    ]
  },
  {
    name: 'writing JSON',
    covers: [],
    shapes: [
      ...data((value) => () => writeJson(value)),
      ...data((value) => (pacer) => inTurns(writeJsonTo(new BoundedText(64 * 1024 ** 2), value), pacer))
    ]
  },
  {
    name: 'flow documents',
    covers: [
      'src/flows/validate/validate-flow.ts',
      'src/flows/validate/check-edges.ts',
      'src/flows/validate/check-fields.ts',
      'src/flows/validate/check-links.ts',
      'src/flows/validate/check-parents.ts',
      'src/flows/validate/check-references.ts',
      'src/flows/validate/check-regions.ts',
      'src/flows/validate/check-triggers.ts',
      'src/flows/validate/shape-check.ts',
      'src/library/draft-reader.ts'
    ],
    shapes: [
      ...documents('schedules that never come', (n) =>
        flowOf(n, (at) => ({ type: 'schedule', fields: { cron: `${at % 60} * * 31 2,4,6,9,11 *` } }))
      ),
      ...documents('wrong members everywhere', (n) => flowOf(n, () => ({ title: 7, retry: 7, parent: 7 }))),
      ...documents('flows that run others', (n) =>
        flowOf(n, (at) => ({ type: 'run-flow', fields: { flow: `f${at}` } }))
      ),
      ...documents('nodes', (n) => flowOf(n, () => ({ fields: { template: '{a}' } }))),
      ...documents('a chain', (n) => flowOf(n, () => ({}), wire)),
      ...documents('references', (n) =>
        flowOf(n, (at) => ({ fields: { template: `{$nodes.n${(at * 7) % n}.parsed_text}` } }), wire)
      ),
      ...documents('a ring', (n) =>
        flowOf(
          n,
          () => ({}),
          (at) => wire(at % n, (at + 1) % n)
        )
      ),
      ...documents('wires over all of it', (n) =>
        flowOf(
          n,
          () => ({}),
          (at) => wire(at < n ? at : 0, at < n ? at + 1 : n - 1),
          5 * n
        )
      ),
      ...documents('equal wires', (n) =>
        flowOf(
          n,
          () => ({}),
          () => wire(0, 1),
          5 * n
        )
      ),
      ...documents('wires to nowhere', (n) =>
        flowOf(
          n,
          () => ({}),
          (at) => ({ from: `x${at}.a`, to: `y${at}.b` })
        )
      ),
      ...documents('equal ids', (n) => flowOf(n, () => ({ id: 'a' }))),
      ...documents('unknown types', (n) => flowOf(n, (at) => ({ type: `t${at}` }))),
      ...documents('unknown fields', (n) => flowOf(n, () => ({ fields: { x: 1, y: 2 } }))),
      ...documents('unknown members', (n) => flowOf(n, () => ({ bad: 1 }))),
      ...documents('triggers', (n) => flowOf(n, () => ({ type: 'webhook' }))),
      ...documents('regions', (n) => flowOf(n, (at) => (at === 0 ? { type: 'for-each' } : { parent: 'n0' }))),
      ...documents('regions in regions', (n) =>
        flowOf(n, (at) => ({ type: 'for-each', ...(at > 0 && { parent: `n${at - 1}` }) }))
      ),
      ...LONG_FIELDS.flatMap(([name, made]) => [
        // To list the names of an object with 200,000 members takes longer than a turn may, and is done once.
        ...[MOST_OF_FIELD / 4, 9_000_000 / 4].map((n) => ({
          ...shape(`${name}, ${n}`, n, (length) => {
            const document = flowOf(1, () => made(length))
            return () => validateFlow(document, catalogue)
          }),
          ...(n > MOST_OF_FIELD && { turnMs: 400 })
        }))
      ]),
      shape('several long fields', 50, (n) => {
        const document = flowOf(n, () => LONG_FIELDS[0]![1](MOST_OF_FIELD / 2))
        return () => validateFlow(document, catalogue)
      }),
      shape('tags', 125_000, (n) => {
        const document = { ...flowOf(1, () => ({})), tags: Array.from({ length: n }, (_, at) => `t${at}`) }
        return () => [validateFlow(document, catalogue), atOnce(readDraftInTurns(document))]
      }),
      shape('a long context', 2_250_000, (n) => {
        const document = { ...flowOf(1, () => ({})), context: '/a'.repeat(n / 2) }
        return () => validateFlow(document, catalogue)
      }),
      shape('too many nodes', 25_000, (n) => {
        const document = flowOf(n, () => ({ bad: 1 }))
        return () => [validateFlow(document, catalogue), atOnce(readDraftInTurns(document))]
      })
    ]
  },
  {
    name: 'names that are meant',
    covers: [],
    shapes: [
      shape(
        'long names',
        250,
        (n) => () =>
          didYouMean(
            'a'.repeat(n),
            Array.from({ length: 100 }, () => 'b'.repeat(n))
          )
      )
    ]
  }
]
