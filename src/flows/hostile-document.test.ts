import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { threadMs } from '../../test/support/thread-ms.ts'
import { builtInCatalogue } from '../contexts/catalogue.test-kit.ts'
import { atOnce } from './in-turns.ts'
import { readDraftInTurns } from './validate/draft-document.ts'
import { validateFlow } from './validate/validate-flow.ts'

const catalogue = builtInCatalogue()

function codesOf(document: unknown): string[] {
  return (validateFlow(document, catalogue).faults ?? []).map(({ code }) => code)
}

describe('several faults', () => {
  it('are reported at once, each at its place', () => {
    const { faults } = validateFlow(
      {
        name: 'Test',
        slug: 'test',
        nodes: [
          { id: 'w', type: 'webhook' },
          { id: 'w2', type: 'webhook', fields: { auth: 'Password' } },
          { id: 'p', type: 'parser', fields: { template: '{', colour: 'red' } },
          { id: 'p', type: 'parsr' }
        ],
        edges: [
          { from: 'w.data', to: 'q.data' },
          { from: 'w.dat', to: 'p.data' },
          { from: 'w', to: 'p.data' }
        ]
      },
      catalogue
    )
    assert.deepEqual(
      faults?.map(({ code, path }) => `${code} ${path}`),
      [
        'invalid_field /nodes/1/fields/auth',
        'unknown_field /nodes/2/fields/colour',
        'duplicate_node_id /nodes/3/id',
        'unknown_type /nodes/3/type',
        'duplicate_trigger /nodes/1',
        'edge_to_nowhere /edges/0/to',
        'edge_to_nowhere /edges/1/from',
        'invalid_edge /edges/2/from'
      ]
    )
  })

  it('do not multiply: inputs that follow from a broken field are not complained about as well', () => {
    for (const template of ['{a', 42]) {
      const codes = codesOf({
        name: 'Test',
        slug: 'test',
        nodes: [
          { id: 'w', type: 'webhook' },
          { id: 'p', type: 'prompt', fields: { template } }
        ],
        edges: [{ from: 'w.data', to: 'p.a' }]
      })
      assert.equal(codes.length, 1)
    }
  })

  it('are not looked for in lists that are too long', () => {
    const nodes = Array.from({ length: 90_000 }, () => ({ bad: [] }))
    const sent = { name: 'Test', slug: 'test', nodes, edges: [], notes: nodes }
    const before = process.cpuUsage()
    const { faults } = validateFlow(sent, catalogue)
    assert.ok(process.cpuUsage(before).user < 200_000)
    assert.deepEqual(
      faults?.map(({ path, message }) => `${path} ${message}`),
      [
        '/nodes "nodes" is a list of 90000. Give at most 10000 items.',
        '/notes "notes" is a list of 90000. Give at most 1000 items.'
      ]
    )
    assert.deepEqual(atOnce(readDraftInTurns(sent)).faults, faults)
  })

  it('by the thousand are found in a moment', () => {
    const ids = Array.from({ length: 2_000 }, (_, index) => `node-${index}`)
    const nodes = ids.map((id) => ({ id, type: 'chat-input' }))
    const edges = ids.map((id) => ({ from: `x${id}.message`, to: `y${id}.text` }))
    const since = threadMs()
    assert.equal(codesOf({ name: 'Test', slug: 'test', nodes, edges }).length, 2 * 2_000 + 1_999)
    assert.ok(threadMs() - since < 5_000)
  })
})

describe('__proto__ as a key', () => {
  const parsed = (text: string): unknown => JSON.parse(text)

  it('is an unknown member like any other', () => {
    const document = parsed(
      '{"name":"A","slug":"a","__proto__":{"nodes":3},"nodes":[{"id":"w","type":"webhook","__proto__":{"x":1}}]}'
    )
    assert.deepEqual(codesOf(document), ['unknown_member', 'unknown_member'])
  })

  it('is an unknown field like any other', () => {
    const document = parsed(
      '{"name":"A","slug":"a","nodes":[{"id":"p","type":"parser","fields":{"__proto__":{"mode":"Stringify"},"constructor":1}}]}'
    )
    assert.deepEqual(codesOf(document), ['unknown_field', 'unknown_field'])
  })

  it('is neither a port, a type nor a node', () => {
    for (const name of ['__proto__', 'constructor', 'toString']) {
      const nodes = [
        { id: 'w', type: 'webhook' },
        { id: 'p', type: 'parser' }
      ]
      const edges = [
        { from: `w.${name}`, to: `p.${name}` },
        { from: `${name}.data`, to: 'p.data' }
      ]
      const document = { name: 'A', slug: 'a', nodes: [...nodes, { id: 'x', type: name }], edges }
      assert.deepEqual(codesOf(document), [
        'unknown_type',
        'edge_to_nowhere',
        'edge_to_nowhere',
        'edge_to_nowhere'
      ])
    }
  })

  it('may be a node, as any other name may', () => {
    const nodes = [{ id: '__proto__', type: 'webhook' }]
    assert.deepEqual(codesOf({ name: 'A', slug: 'a', nodes, edges: [] }), [])
  })

  it('leaves every object as it was', () => {
    assert.deepEqual(Object.keys(Object.getPrototypeOf({})), [])
  })
})

describe('validateFlow never throws', () => {
  const name = fc.constantFrom(
    'webhook',
    'parser',
    'prompt',
    'chat-input',
    'chat-output',
    '__proto__',
    'constructor',
    'a',
    ''
  )
  const port = fc.constantFrom('data', 'text', 'message', 'parsed_text', 'prompt', '__proto__', 'x', '')
  const value = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom('{x}', '{__proto__}', '{', '{a.b?c}'))
  const fieldName = fc.constantFrom(
    'template',
    'mode',
    'auth',
    'text',
    'separator',
    '__proto__',
    'rate_limit'
  )
  const node = fc.record(
    {
      id: fc.oneof(name, fc.jsonValue()),
      type: fc.oneof(name, fc.jsonValue()),
      fields: fc.oneof(fc.dictionary(fieldName, value), fc.jsonValue()),
      position: fc.oneof(fc.constant({ x: 0, y: 0 }), fc.jsonValue()),
      retry: fc.jsonValue(),
      timeout_ms: fc.jsonValue()
    },
    { requiredKeys: [] }
  )
  const goodNode = fc.record({ id: name, type: name, fields: fc.dictionary(fieldName, value) })
  const end = fc.tuple(name, port).map(([node, port]) => `${node}.${port}`)
  const edge = fc.oneof(fc.record({ from: end, to: end }), fc.jsonValue())
  const document = fc.record(
    {
      name: fc.oneof(fc.constant('A'), fc.jsonValue()),
      slug: fc.oneof(fc.constant('a'), fc.jsonValue()),
      context: fc.oneof(fc.constantFrom('/', '/sales', '/none'), fc.jsonValue()),
      nodes: fc.oneof(fc.array(goodNode, { maxLength: 5 }), fc.array(node, { maxLength: 4 }), fc.jsonValue()),
      edges: fc.oneof(fc.array(edge, { maxLength: 5 }), fc.jsonValue())
    },
    { requiredKeys: [] }
  )

  function judge(sent: unknown): void {
    const verdict = validateFlow(JSON.parse(JSON.stringify(sent)), catalogue)
    for (const { code, path, message } of verdict.faults ?? []) {
      assert.ok(code !== '' && message !== '' && (path === '' || path.startsWith('/')))
    }
    assert.ok(verdict.document !== undefined || verdict.faults!.length > 0)
  }

  it('for any JSON', () => fc.assert(fc.property(fc.jsonValue(), judge)))

  it('for anything that looks like a flow', () => fc.assert(fc.property(document, judge), { numRuns: 500 }))

  it('for anything of the right shape', () => {
    const nodes = fc.uniqueArray(goodNode, { maxLength: 5, selector: ({ id }) => id })
    const edges = fc.array(fc.record({ from: end, to: end }), { maxLength: 6 })
    const right = fc.record({ name: fc.constant('A'), slug: fc.constant('a'), nodes, edges })
    fc.assert(fc.property(right, judge), { numRuns: 500 })
  })
})

describe('a document with more in it than anybody reads', () => {
  const made = (more: object) => ({
    name: 'Test',
    slug: 'test',
    nodes: [{ id: 'w', type: 'webhook' }],
    ...more
  })
  const node = (type: string, fields: object) => made({ nodes: [{ id: 'p', type, fields }] })
  const members = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`k${at}`, 1]))
  const texts = Array.from({ length: 20_000 }, (_, at) => `t${at}`)
  const template = (length: number) => 'x'.repeat(length)
  const many = (count: number, fields: object, type = 'parser') =>
    made({ nodes: Array.from({ length: count }, (_, at) => ({ id: `p${at}`, type, fields })) })

  const refused: readonly [name: string, document: object, fault: string][] = [
    [
      'a long template',
      node('parser', { template: template(500_001) }),
      'invalid_field /nodes/0/fields/template'
    ],
    ['a long list', node('switch', { cases: texts }), 'invalid_field /nodes/0/fields/cases'],
    ['a large object', node('api-request', { headers: members }), 'invalid_field /nodes/0/fields/headers'],
    ['long code', node('code', { code: template(1_000_001) }), 'invalid_field /nodes/0/fields/code'],
    ['long templates', many(11, { template: template(99_000) }), 'invalid_shape /nodes'],
    ['many fields', node('parser', members), 'invalid_shape /nodes/0/fields'],
    ['many members', made(members), 'invalid_shape '],
    [
      'many members of a node',
      made({ nodes: [{ id: 'w', type: 'webhook', ...members }] }),
      'invalid_shape /nodes/0'
    ],
    ['many tags', made({ tags: texts }), 'invalid_shape /tags'],
    ['a long context', made({ context: '/a'.repeat(1_000_000) }), 'invalid_shape /context']
  ]
  for (const [name, document, fault] of refused)
    it(`is refused for ${name}, by its place`, () => {
      const { faults = [] } = validateFlow(document, catalogue)
      assert.deepEqual([...new Set(faults.map(({ code, path }) => `${code} ${path}`))], [fault])
    })

  it('says how long a field may be, and shows little of it', () => {
    const [long] = validateFlow(node('parser', { template: template(3_000_000) }), catalogue).faults ?? []
    assert.match(
      long!.message,
      /^Field "template" of node "p" takes 500,000 characters at most, not 3,000,000\./
    )
    const [odd] = validateFlow(node('webhook', { auth: template(90_000) }), catalogue).faults ?? []
    const [unknown] = validateFlow(node('webhook', { [template(90_000)]: 1 }), catalogue).faults ?? []
    for (const fault of [odd!, unknown!]) assert.ok(JSON.stringify(fault).length < 2_000, fault.message)
  })

  it('is judged to no more than a thousand faults', () => {
    assert.equal(validateFlow(many(600, { a: 1, b: 2 }), catalogue).faults?.length, 1_000)
  })

  it('is taken up to those bounds', () => {
    assert.deepEqual(codesOf(many(9, { template: template(100_000) })), [])
    assert.deepEqual(codesOf(many(3, { code: template(1_000_000) }, 'code')), [])
  })
})
