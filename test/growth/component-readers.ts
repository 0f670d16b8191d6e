import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { readCondition } from '../../src/components/expression/conditions/read-condition.ts'
import { compileExpression } from '../../src/components/expression/expression.ts'
import { encodeForm, withParameters } from '../../src/components/http/build-url.ts'
import { parseBody } from '../../src/components/http/parse-body.ts'
import { retryAfter } from '../../src/components/http/retry-after.ts'
import { conversation, givenImages } from '../../src/components/language-model/model-prompt.ts'
import { judge } from '../../src/components/language-model/structured-answer.ts'
import { readMessage } from '../../src/components/mcp/read-messages.ts'
import { compileSchema } from '../../src/components/schema/compile-schema.ts'
import { parseAddresses } from '../../src/components/send-email/mail-addresses.ts'
import { bindStatement } from '../../src/components/sql/bind-statement.ts'
import { distinctNames } from '../../src/components/sql/collect-rows.ts'
import type { Database } from '../../src/components/sql/database.ts'
import { openConnection } from '../../src/components/sql/databases.test-kit.ts'
import { MYSQL, POSTGRES, SQLITE } from '../../src/components/sql/dialect.ts'
import {
  type Framing,
  MessageBounds,
  MYSQL_FRAMING,
  POSTGRES_FRAMING
} from '../../src/components/sql/message-bounds.ts'
import { databaseResource } from '../../src/components/sql/open-database.ts'
import { readerOf } from '../../src/components/sql/postgres-values.ts'
import { parametersIn, readEverywhere, readStatement } from '../../src/components/sql/read-statement.ts'
import { listModels } from '../../src/connections/models/list-models.ts'
import { redactInTurns } from '../../src/connections/redaction/redact-in-turns.ts'
import { redactText, redactValue } from '../../src/connections/redaction/redact-secrets.ts'
import { SecretSpellings } from '../../src/connections/redaction/secret-spellings.ts'
import { StreamRedactor } from '../../src/connections/redaction/stream-redactor.ts'
import { codeReferences } from '../../src/flows/component/code-references.ts'
import { atOnce, inTurns } from '../../src/flows/in-turns.ts'
import type { IncomingAnswer, OpenConnection } from '../../src/flows/step/step-connection.ts'
import { compilePath } from '../../src/flows/template/compile-path.ts'
import { compileTemplate } from '../../src/flows/template/compile-template.ts'
import { chunkText } from '../../src/knowledge/chunk-text.ts'
import { ESCAPED_SHAPES, TEXT_SHAPES } from './data-shapes.ts'
import { BODY, data, HEADER, ITEMS, json, type Reader, shape, shapesOf, texts } from './shapes.ts'
import { watched } from './watched-list.ts'

const SPELLINGS = SecretSpellings.of(['a secret of some length'])

const NO_PAUSE = { pause: () => undefined }

function boundsOf(framing: Framing): MessageBounds {
  const bounds = new MessageBounds(framing)
  bounds.allow({ bytes: BODY, of: 'step', most: BODY })
  return bounds
}

let sqlite: Promise<Database> | undefined

/** Its process goes with this one. */
function openSqlite(): Promise<Database> {
  const file = join(mkdtempSync(join(tmpdir(), 'millrace-growth-')), 'rows.db')
  process.once('exit', () => rmSync(dirname(file), { recursive: true, force: true }))
  return Promise.resolve(databaseResource.open(openConnection('sqlite', { file })))
}

async function sqliteRows(n: number, columns: number): Promise<unknown> {
  sqlite ??= openSqlite()
  const names = Array.from({ length: columns }, (_, at) => `n as c${at}`).join()
  const source = `with recursive c(n) as (select 1 union all select n + 1 from c where n < ${n}) select ${names} from c`
  return (await sqlite).run({
    source,
    statement: readStatement(source, SQLITE),
    valueFor: () => null,
    limits: { maxRows: n, output: { bytes: 16 * 1024 ** 2, of: 'step', most: 16 * 1024 ** 2 } },
    timeoutMs: 60_000,
    signal: new AbortController().signal,
    onCommit: () => {}
  })
}

function answerWith(body: Buffer, type: string, size = 65_536): IncomingAnswer {
  async function* pieces() {
    for (let at = 0; at < body.length; at += size) yield body.subarray(at, at + size)
  }
  return {
    status: 200,
    url: 'https://tools.example/mcp',
    headers: { 'content-type': type },
    body: pieces()
  } as unknown as IncomingAnswer
}

/** A connection to somebody who answers with this, as it comes from a socket. */
function providerOf(body: Buffer): OpenConnection {
  async function* pieces() {
    for (let at = 0; at < body.length; at += 65_536) yield body.subarray(at, at + 65_536)
  }
  const answer = { status: 200, url: 'https://models.example/v1/models', headers: {}, body: pieces() }
  return { ...openConnection('openai', {}), request: async () => answer as unknown as IncomingAnswer }
}

/** What reads what components are given, and what comes back to them. */
export const COMPONENT_READERS: readonly Reader[] = [
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
    name: 'references in code',
    covers: ['src/flows/component/code-references.ts', 'src/flows/component/node-references.ts'],
    shapes: [
      ...texts(BODY / 8, (text) => [...codeReferences(text, 'javascript')]),
      ...['nodes["a"].', 'nodes ', 'nodes?.', 'const ', '$nodes.', 'function($nodes'].map((part) =>
        shape(part, BODY / 8, (n) => {
          const text = part.repeat(n / part.length)
          return () =>
            (['javascript', 'cel', 'jsonata'] as const).map((language) => [...codeReferences(text, language)])
        })
      )
    ]
  },
  {
    name: 'paths',
    covers: ['src/flows/template/compile-path.ts'],
    shapes: texts(BODY / 8, (text) => compilePath(text))
  },
  {
    name: 'conditions',
    covers: [
      'src/components/expression/conditions/read-condition.ts',
      'src/components/expression/conditions/read-operand.ts'
    ],
    shapes: [
      ...['a.b["c"] == "d"', 'a.startsWith("b")', '!(a in b)'].map((row) =>
        shape(`rows of ${row}`, 16, (n) => {
          const source = new Array(n).fill(row).join(' && ')
          const { ast } = compileExpression(source, ['a', 'b'])
          return () => readCondition(ast, source, ['a', 'b'])
        })
      ),
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
      ...texts(BODY / 4, (text) => givenImages(text)),
      ...texts(BODY / 4, (text) =>
        inTurns(judge(`\`\`\`json\n${text}`, compileSchema({})), { pause: () => undefined })
      ),
      shape('history', ITEMS / 10, (n) => {
        const message = { sender: 'User' as const, session: 's', text: 'x' }
        return () =>
          conversation('', { history: new Array(n).fill(message), summary: null }, [
            { type: 'text', text: 'x' }
          ])
      })
    ]
  },
  {
    name: 'texts of collections',
    covers: ['src/knowledge/chunk-text.ts'],
    shapes: [
      ...shapesOf(
        TEXT_SHAPES,
        BODY,
        (text) => (pacer) => inTurns(chunkText(text, { chunk: 1000, overlap: 100, most: 250_000 }), pacer)
      ),
      ...shapesOf(
        TEXT_SHAPES,
        BODY / 16,
        (text) => (pacer) => inTurns(chunkText(text, { chunk: 50, overlap: 49, most: 250_000 }), pacer)
      )
    ]
  },
  {
    name: 'SQL',
    covers: ['src/components/sql/read-statement.ts', 'src/components/sql/sql-lexer.ts'],
    shapes: [
      ...[POSTGRES, MYSQL, SQLITE].flatMap((dialect) =>
        texts(BODY / 16, (text) => bindStatement(readStatement(`select ${text}`, dialect), () => 1, dialect))
      ),
      ...texts(BODY / 16, (text) => parametersIn(atOnce(readEverywhere(`select ${text}`))))
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
    name: 'columns of databases',
    covers: [],
    shapes: [
      shape('of equal names', 1_000, (n) => () => distinctNames(new Array(n).fill('a'))),
      shape(
        'of names with numbers',
        1_000,
        (n) => () =>
          distinctNames([
            ...Array.from({ length: n / 2 }, (_, at) => `a_${at}`),
            ...new Array(n / 2).fill('a')
          ])
      )
    ]
  },
  {
    name: 'rows of SQLite',
    covers: [],
    shapes: [1, 8].map((columns) =>
      shape(`of ${columns} columns`, 8_000, (n) => () => sqliteRows(n, columns))
    )
  },
  {
    name: 'lists of models',
    covers: [],
    shapes: ['{}', '{"id":"m"}', '"m"', '[[]]', '{"id":"m","created":1.5}'].map((item) =>
      shape(item, 1_000_000, (n) => {
        const body = Buffer.from(`{"data":${json(n, item)}}`)
        return () => listModels(providerOf(body))
      })
    )
  },
  {
    name: 'answers of MCP servers',
    covers: ['src/components/mcp/read-messages.ts'],
    shapes: [
      ...['{}', '[', '"a"', '1,'].map((item) =>
        shape(item, BODY / 4, (n) => {
          const body = Buffer.from(`{"id":1,"result":[${item.repeat(n / item.length)}]}`)
          return (pacer) => readMessage(answerWith(body, 'application/json'), 1, pacer).catch(() => {})
        })
      ),
      ...['\n\n', 'data:\n\n', 'data: {}\n\n', 'data: 1\n', ':'].map((item) =>
        shape(`events ${JSON.stringify(item)}`, BODY / 4, (n) => {
          const body = Buffer.from(item.repeat(n / item.length))
          return (pacer) => readMessage(answerWith(body, 'text/event-stream'), 1, pacer).catch(() => {})
        })
      ),
      shape('an event in small pieces', BODY / 4, (n) => {
        const body = Buffer.from(`data: "${'a'.repeat(n)}`)
        return (pacer) => readMessage(answerWith(body, 'text/event-stream', 16), 1, pacer).catch(() => {})
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
        return (pacer) => inTurns(encodeForm(values, BODY), pacer)
      })
    ]
  },
  {
    name: 'lists that are watched',
    covers: ['src/components/http/watched-items.ts'],
    shapes: ['', '{id}', '{id?}{a?}'].flatMap((key) => [
      shape(`items by ${key}`, ITEMS / 4, (n) =>
        watched(key, JSON.stringify(Array.from({ length: n }, (_, id) => ({ id, a: 'x' }))))
      ),
      shape(`one item by ${key}`, BODY, (n) => watched(key, `[{"id":1,"a":[${'1,'.repeat(n / 2)}1]}]`))
    ])
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
  }
]
