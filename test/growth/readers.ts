import type { IncomingMessage } from 'node:http'
import { compileExpression } from '../../src/components/expression/expression.ts'
import { encodeForm, withParameters } from '../../src/components/http/build-url.ts'
import { parseBody } from '../../src/components/http/parse-body.ts'
import { retryAfter } from '../../src/components/http/retry-after.ts'
import { deliveryHeaders, secretsOf } from '../../src/components/http/sign-delivery.ts'
import { conversation, imageAddresses } from '../../src/components/language-model/model-prompt.ts'
import { judge } from '../../src/components/language-model/structured-answer.ts'
import { assertCron } from '../../src/components/schedule/cron.ts'
import { compileSchema } from '../../src/components/schema/compile-schema.ts'
import { parseAddresses } from '../../src/components/send-email/mail-addresses.ts'
import { bindStatement } from '../../src/components/sql/bind-statement.ts'
import { MYSQL, POSTGRES, SQLITE } from '../../src/components/sql/dialect.ts'
import {
  type Framing,
  MessageBounds,
  MYSQL_FRAMING,
  POSTGRES_FRAMING
} from '../../src/components/sql/message-bounds.ts'
import { readerOf } from '../../src/components/sql/postgres-values.ts'
import { parametersIn, readStatement } from '../../src/components/sql/read-statement.ts'
import { redactInTurns } from '../../src/connections/redaction/redact-in-turns.ts'
import { redactText, redactValue } from '../../src/connections/redaction/redact-secrets.ts'
import { SecretSpellings } from '../../src/connections/redaction/secret-spellings.ts'
import { StreamRedactor } from '../../src/connections/redaction/stream-redactor.ts'
import { builtInCatalogue } from '../../src/contexts/catalogue.test-kit.ts'
import { didYouMean } from '../../src/flows/closest-name.ts'
import type { FlowDocument } from '../../src/flows/document/flow-document.ts'
import { readDuration } from '../../src/flows/duration.ts'
import { inTurns, type Pacer } from '../../src/flows/in-turns.ts'
import { BoundedText, writeJsonTo } from '../../src/flows/json/bounded-text.ts'
import { parsePlainInTurns, writeJsonInTurns } from '../../src/flows/json/document-json.ts'
import { readPayload, writeJson } from '../../src/flows/json/exact-json.ts'
import { redactQuery } from '../../src/flows/request-secrets.ts'
import { slugify } from '../../src/flows/slug.ts'
import { compilePath } from '../../src/flows/template/compile-path.ts'
import { compileTemplate } from '../../src/flows/template/compile-template.ts'
import { readDraftDocument, readDraftInTurns } from '../../src/flows/validate/draft-document.ts'
import { validateFlow } from '../../src/flows/validate/validate-flow.ts'
import { readTime } from '../../src/http/requests/read-time.ts'
import { clientAddress, readTrustedProxies } from '../../src/http/requests/trusted-proxies.ts'
import { readCookie } from '../../src/http/session/session-cookie.ts'
import { preferredWait } from '../../src/http/webhook/prefer.ts'
import { requestFacts } from '../../src/http/webhook/request-facts.ts'
import { signatureInvalid } from '../../src/http/webhook/signature-fault.ts'
import { isSignedBy } from '../../src/http/webhook/webhook-signature.ts'
import { readSessionToken } from '../../src/keys/session-token.ts'
import { flowLoopFault } from '../../src/library/flow-loop.ts'
import { verdictOf } from '../../src/library/judge-flow.ts'
import { ESCAPED_SHAPES, TEXT_SHAPES } from './data-shapes.ts'
import type { Shape } from './measure.ts'
import { BODY, data, HEADER, ITEMS, type Reader, shape, shapesOf, texts } from './shapes.ts'

const SPELLINGS = SecretSpellings.of(['a secret of some length'])
const NO_PAUSE = { pause: () => undefined }
const catalogue = builtInCatalogue()
const headersOf = (headers: Record<string, string>) => ({ headers, socket: {} }) as unknown as IncomingMessage

function flowOf(n: number, node: (at: number) => object, edge?: (at: number) => object, edges = n) {
  const nodes = Array.from({ length: n }, (_, at) => ({ id: `n${at}`, type: 'parser', ...node(at) }))
  const wires = edge === undefined ? [] : Array.from({ length: edges }, (_, at) => edge(at))
  return { name: 'Test', slug: 'test', nodes, edges: wires }
}

function boundsOf(framing: Framing): MessageBounds {
  const bounds = new MessageBounds(framing)
  bounds.allow({ bytes: BODY, of: 'step', most: BODY })
  return bounds
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

const json = (n: number, item: string) => `[${`${item},`.repeat(Math.floor(n / (item.length + 1)))}${item}]`

/** What a document may hold. */
const TAKEN = { depth: 1_000, members: 20_000, values: 1_000_000 }

const TEN_MB = 10 * 1024 * 1024

export const READERS: readonly Reader[] = [
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
      shape('members', TEN_MB / 4, (n) => {
        const body = `{${Array.from({ length: n / 12 }, (_, at) => `"f${at}":1`).join()}}`
        return (pacer) => inTurns(parsePlainInTurns(body, TAKEN), pacer)
      }),
      shape('what is written again', 250_000, (n) => {
        const document = {
          nodes: Array.from({ length: n / 10 }, (_, at) => ({ id: `n${at}`, fields: { a: 1 } }))
        }
        return (pacer) => inTurns(writeJsonInTurns(document), pacer)
      })
    ]
  },
  {
    name: 'payloads',
    covers: [
      'src/flows/json/exact-json.ts',
      'src/flows/json/parse-json-in-turns.ts',
      'src/flows/json/read-exactly.ts',
      'src/http/requests/decode-body.ts',
      'src/http/requests/exact-body.ts'
    ],
    shapes: [
      ...['1', '""', '{}', '"\\\\"', '"\\""', 'null', '{"a":1}'].map((item) =>
        shape(item, BODY, (n) => {
          const body = Buffer.from(json(n, item))
          return () => readPayload(body)
        })
      ),
      // Numbers that are kept as they were written, among what is not: read in one turn, by hand: 35 to 60 ms
      // by itself, and twice that in a process that has read much else.
      ...[
        '1234567890.10',
        '1e5',
        '-0',
        '[1.0]',
        '{"a":1.0}',
        '{"k\\n":-0}',
        '"\\u0041",1.0',
        '1,1,1,1e-7'
      ].map((item) => ({
        name: item,
        n: BODY,
        turnMs: 150,
        make: (n: number) => {
          const body = Buffer.from(`[${json(n, item)},-0]`)
          return () => readPayload(body)
        }
      })),
      shape('depth', BODY, (n) => () => readPayload('['.repeat(n))),
      shape('backslashes', BODY, (n) => () => readPayload(`"${'\\'.repeat(n)}`)),
      shape('quotes', BODY, (n) => () => readPayload('"'.repeat(n))),
      shape('digits', BODY, (n) => () => readPayload('1'.repeat(n))),
      shape('equal keys', BODY, (n) => () => readPayload(`{${'"a":1,'.repeat(n / 6)}"a":1}`)),
      shape('distinct keys', BODY / 4, (n) => {
        const body = JSON.stringify(
          Object.fromEntries(Array.from({ length: n / 10 }, (_, at) => [`k${at}`, at]))
        )
        return () => readPayload(body)
      })
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
    name: 'templates',
    covers: [
      'src/flows/template/compile-template.ts',
      'src/flows/template/parse-field.ts',
      'src/flows/template/parse-template.ts',
      'src/flows/template/read-path.ts',
      'src/flows/template/scan-template.ts',
      'src/components/parser.ts'
    ],
    shapes: [
      ...texts(BODY / 8, (text) => compileTemplate(text)),
      ...texts(BODY / 8, (text) => compileTemplate(text).render({ a: { a: 1 } })),
      ...data((value) => () => compileTemplate('{a} {b}').render({ a: value, b: 1 }))
    ]
  },
  {
    name: 'paths',
    covers: ['src/flows/template/compile-path.ts'],
    shapes: texts(BODY / 8, (text) => compilePath(text))
  },
  {
    name: 'conditions',
    covers: [],
    shapes: [
      ...texts(BODY / 8, (text) => compileExpression(text)),
      ...['.map(a, a + a)', '.map(a, [a, a])', '.filter(a, true)'].map((link) =>
        shape(link, 8, (n) => {
          const { evaluate } = { evaluate: compileExpression(`["a"]${link.repeat(n)} == []`) }
          return () => evaluate.evaluate({})
        })
      ),
      ...data((value) => {
        const expression = compileExpression('data.all(x, data.exists(y, y == x))')
        return () => expression.evaluate(value)
      })
    ]
  },
  {
    name: 'schemas',
    covers: ['src/components/schema/read-schema.ts', 'src/components/schema/compile-schema.ts'],
    shapes: [
      ...data((value) => {
        const schema = compileSchema({
          anyOf: [
            {
              type: 'array',
              uniqueItems: true,
              items: { type: ['object', 'string'], patternProperties: { '^k\\d+$': {} } }
            },
            { type: 'object', additionalProperties: { type: 'integer' } },
            { type: 'string', pattern: '^(a+)+$', format: 'email' }
          ]
        })
        return (pacer) => inTurns(schema.judge(value), pacer)
      }),
      shape(
        'a long enum',
        ITEMS,
        (n) => () => compileSchema({ enum: Array.from({ length: n }, (_, at) => `v${at}`) })
      ),
      shape(
        'many parts',
        ITEMS / 8,
        (n) => () => compileSchema({ allOf: Array.from({ length: n }, () => ({ type: 'string' })) })
      )
    ]
  },
  {
    name: 'answers of models',
    covers: [],
    shapes: [
      ...texts(BODY / 4, (text) => imageAddresses(text)),
      ...texts(BODY / 4, (text) =>
        inTurns(judge(`\`\`\`json\n${text}`, compileSchema({})), { pause: () => undefined })
      ),
      shape('history', ITEMS / 10, (n) => {
        const message = { sender: 'User' as const, session: 's', text: 'x' }
        return () => conversation('', new Array(n).fill(message), [{ type: 'text', text: 'x' }])
      })
    ]
  },
  {
    name: 'SQL',
    covers: ['src/components/sql/read-statement.ts', 'src/components/sql/sql-lexer.ts'],
    shapes: [
      ...[POSTGRES, MYSQL, SQLITE].flatMap((dialect) =>
        texts(BODY / 16, (text) => bindStatement(readStatement(`select ${text}`, dialect), () => 1, dialect))
      ),
      ...texts(BODY / 16, (text) => parametersIn(`select ${text}`))
    ]
  },
  {
    name: 'messages of databases',
    covers: ['src/components/sql/message-bounds.ts'],
    shapes: [
      shape('of PostgreSQL, without a body', BODY, (n) => {
        const said = Buffer.from('N\0\0\0\x04'.repeat(n / 5))
        return () => boundsOf(POSTGRES_FRAMING).look(said)
      }),
      shape('of PostgreSQL, byte by byte', BODY / 16, (n) => {
        const said = Buffer.from('N\0\0\0\x05x'.repeat(n / 6))
        return () => {
          const bounds = boundsOf(POSTGRES_FRAMING)
          for (let at = 0; at < said.length; at++) bounds.look(said.subarray(at, at + 1))
        }
      }),
      shape('of MySQL, without a body', BODY, (n) => {
        const said = Buffer.alloc(n)
        return () => boundsOf(MYSQL_FRAMING).look(said)
      })
    ]
  },
  {
    name: 'arrays of PostgreSQL',
    covers: [],
    shapes: ['{', '{},', '{1},', '1,', '"a",', '"', '\\', 'NULL,'].map((item) =>
      shape(item, BODY / 4, (n) => {
        const text = `{${item.repeat(n / item.length)}`
        return () => [readerOf(1009)(text), readerOf(3807)(`${text}1}`)]
      })
    )
  },
  {
    name: 'answers of APIs',
    covers: ['src/components/http/parse-body.ts', 'src/components/http/read-bytes.ts'],
    shapes: [
      ...(['Auto', 'JSON', 'Text'] as const).flatMap((as) =>
        shapesOf(TEXT_SHAPES, BODY, (text) => {
          const bytes = Buffer.from(text)
          return (pacer) => inTurns(parseBody({ bytes, contentType: undefined, as, status: 200 }), pacer)
        })
      ),
      ...texts(HEADER, (text) =>
        inTurns(parseBody({ bytes: Buffer.from('1'), contentType: text, as: 'Auto', status: 200 }), NO_PAUSE)
      ),
      ...texts(HEADER, (text) => retryAfter({ 'retry-after': text, date: text }, 0)),
      ...texts(BODY / 4, (text) => withParameters(`https://a.b/?${text}`, { a: text })),
      shape('parameters', ITEMS / 2, (n) => {
        const values = Object.fromEntries(Array.from({ length: n }, (_, at) => [`k${at}`, at]))
        return () => encodeForm(values)
      })
    ]
  },
  {
    name: 'signatures of deliveries',
    covers: [],
    shapes: texts(BODY / 8, (text) =>
      deliveryHeaders({ id: '1', now: 0, body: text, secrets: secretsOf('AAAA') })
    )
  },
  { name: 'addresses of mail', covers: [], shapes: texts(BODY / 8, (text) => parseAddresses('to', text)) },
  {
    name: 'secrets that are redacted',
    covers: [
      'src/connections/redaction/redact-secrets.ts',
      'src/connections/redaction/redact-in-turns.ts',
      'src/connections/redaction/stream-redactor.ts',
      'src/connections/redaction/redact-answers.ts',
      'src/connections/redaction/redact-bytes.ts',
      'src/runs/steps/redact-messages.ts'
    ],
    shapes: [
      ...texts(BODY / 2, (text) => redactText(text, SPELLINGS)),
      ...shapesOf(ESCAPED_SHAPES, BODY / 2, (text) => () => redactText(text, SPELLINGS)),
      ...shapesOf(
        ESCAPED_SHAPES,
        BODY / 4,
        (text) => () => new StreamRedactor(() => SPELLINGS).take(text, true)
      ),
      ...texts(BODY / 4, (text) => new StreamRedactor(() => SPELLINGS).take(text, true)),
      ...data((value) => () => redactValue(value, SPELLINGS)),
      ...data((value) => (pacer) => inTurns(redactInTurns(value, SPELLINGS), pacer)),
      ...shapesOf(
        { ...ESCAPED_SHAPES, 'the secret itself': (n) => 'a secret of some length'.repeat(n / 23) },
        2 * BODY,
        (text) => (pacer) => inTurns(redactInTurns([text], SPELLINGS), pacer)
      )
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
        return () => [validateFlow(document, catalogue), readDraftDocument(document)]
      }),
      shape('a long context', 2_250_000, (n) => {
        const document = { ...flowOf(1, () => ({})), context: '/a'.repeat(n / 2) }
        return () => validateFlow(document, catalogue)
      }),
      shape('too many nodes', 25_000, (n) => {
        const document = flowOf(n, () => ({ bad: 1 }))
        return () => [validateFlow(document, catalogue), readDraftDocument(document)]
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
  },
  {
    name: 'requests',
    covers: [
      'src/http/webhook/prefer.ts',
      'src/http/webhook/webhook-signature.ts',
      'src/http/webhook/signature-fault.ts',
      'src/http/requests/read-time.ts',
      'src/http/requests/validate-with-typebox.ts'
    ],
    shapes: [
      ...texts(HEADER, (text) => preferredWait(text)),
      ...texts(HEADER, (text) => readCookie(text, 'session')),
      ...texts(HEADER, (text) => readSessionToken(text)),
      ...texts(HEADER, (text) => readTime(text)),
      ...texts(HEADER, (text) => redactQuery(`/a?${text.replaceAll(',', '&')}`, () => false)),
      ...texts(HEADER, (text) =>
        clientAddress(headersOf({ 'x-forwarded-for': text }), readTrustedProxies('16')!)
      ),
      ...['Standard Webhooks', 'GitHub', 'Stripe', 'Slack'].flatMap((scheme) =>
        texts(HEADER, (text) => {
          const names = [
            'webhook-id',
            'webhook-signature',
            'x-hub-signature-256',
            'stripe-signature',
            'x-slack-signature'
          ]
          const headers = Object.fromEntries(names.map((name) => [name, text]))
          return isSignedBy(scheme, {
            headers: { ...headers, 'webhook-timestamp': '0' },
            body: Buffer.from('x'),
            secret: 'AAAA',
            now: 0
          })
        })
      ),
      ...texts(HEADER, (text) =>
        signatureInvalid('Stripe', headersOf({ 'stripe-signature': text }).headers, 0)
      ),
      shape('headers', HEADER / 16, (n) => {
        const rawHeaders = Array.from({ length: n }, (_, at) => [`x-${at}`, 'v']).flat()
        const request = { method: 'POST', rawHeaders, headers: {} } as unknown as IncomingMessage
        return () => requestFacts(request, { url: '/', address: '', hidden: null })
      })
    ]
  },
  {
    name: 'durations and slugs',
    covers: ['src/flows/duration.ts', 'src/flows/slug.ts', 'src/http/flows/flow-slug.ts'],
    shapes: [...texts(BODY / 8, (text) => readDuration(text)), ...texts(BODY / 8, (text) => slugify(text))]
  },
  {
    name: 'times of schedules',
    covers: ['src/components/schedule/cron.ts'],
    shapes: texts(BODY / 16, (text) => assertCron(text, 'UTC', 0))
  }
]

/** Files that are named as readers are, and read nothing of any length that others choose. */
export const NO_READERS: Readonly<Record<string, string>> = {
  'src/components/data/csv-parse.ts': 'Convert',
  'src/components/data/date-parse.ts': 'Date and Convert',
  'src/components/data/read-date.ts': 'Date and Convert',
  'src/connections/check-connection.ts': 'settings of a connection, of a few members',
  'src/egress/socket-reads.ts': 'counts reads of a socket',
  'src/engine/checkpoints.ts': 'what the engine writes',
  'src/flows/component/check-definition.ts': 'the definition of a plugin',
  'src/http/events/flows-to-read.ts': 'flows that a listener reads',
  'src/runs/dispatch/lane-reader.ts': 'pages of the store, bounded by their size',
  'src/runs/present/run-reader.ts': 'what presenting runs reads, in turns',
  'src/sandbox/read-answer.ts': 'bounded by the output limit before it is read',
  'src/startup/read-reach.ts': 'a setting of the operator'
}
