import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { validateFlow } from '../../../../src/flows/validate/validate-flow.ts'
import { applyCommand } from '../commands/apply-command.ts'
import { flowOf, node, ORDERS } from '../graph/flow.test-kit.ts'
import type { Flow } from '../graph/flow.ts'
import { type Handle, judgeWire, portsThatFit } from './judge-wire.ts'
import { testCatalogue } from './page-catalogue.test-kit.ts'

const catalogue = testCatalogue()
const output = (text: string): Handle => handle(text, 'output')
const input = (text: string): Handle => handle(text, 'input')

function handle(text: string, side: Handle['side']): Handle {
  const [id, port] = text.split('.')
  return { node: id!, port: port!, side }
}

function refusal(flow: Flow, one: Handle, other: Handle): [code: string, message: string] {
  const verdict = judgeWire(flow, catalogue, one, other)
  assert.ok(!verdict.fits)
  return [verdict.code, verdict.message]
}

describe('a wire', () => {
  const flow = flowOf(
    [...ORDERS.nodes, node('prompt-1', { fields: { template: '{a}' } }), 'sift-1'],
    ['webhook-1.data -> parser-1.data', 'parser-1.parsed_text -> chat-output-1.text']
  )

  it('fits in whichever direction it is pulled', () => {
    const edge = { from: 'webhook-1.data', to: 'prompt-1.a' }
    for (const ends of [
      [output('webhook-1.data'), input('prompt-1.a')],
      [input('prompt-1.a'), output('webhook-1.data')]
    ] as const) {
      assert.deepEqual(judgeWire(flow, catalogue, ...ends), { fits: true, edge, besides: [] })
    }
  })

  it('tells what it would stand beside', () => {
    const verdict = judgeWire(flow, catalogue, output('webhook-1.request'), input('parser-1.data'))
    assert.ok(verdict.fits)
    assert.deepEqual(verdict.besides, [{ from: 'webhook-1.data', to: 'parser-1.data' }])
  })

  const rows: [name: string, one: Handle, other: Handle, code: string, message: RegExp][] = [
    [
      'two outputs',
      output('webhook-1.data'),
      output('parser-1.parsed_text'),
      'same_side',
      /from an output to an input/
    ],
    ['two inputs', input('prompt-1.a'), input('parser-1.data'), 'same_side', /from an output to an input/],
    [
      'data to text',
      output('webhook-1.data'),
      input('chat-output-1.text'),
      'port_type_mismatch',
      /gives data.*takes text.*Put a Parser between/
    ],
    ['itself', output('sift-1.data'), input('sift-1.any'), 'cycle', /cannot feed itself/],
    ['a cycle', output('chat-output-1.message'), input('chat-output-1.text'), 'cycle', /itself/],
    [
      'an input that is not there',
      output('webhook-1.data'),
      input('prompt-1.b'),
      'edge_to_nowhere',
      /no input "b".*inputs are a/
    ]
  ]
  for (const [name, one, other, code, message] of rows) {
    it(`does not fit, and says why: ${name}`, () => {
      const [found, text] = refusal(flow, one, other)
      assert.equal(found, code)
      assert.match(text, message)
    })
  }

  it('that would close a cycle names its nodes', () => {
    const ring = flowOf(
      ['sift-1', 'sift-2', 'sift-3'],
      ['sift-1.data -> sift-2.any', 'sift-2.data -> sift-3.any']
    )
    const [code, message] = refusal(ring, output('sift-3.data'), input('sift-1.any'))
    assert.equal(code, 'cycle')
    assert.match(message, /sift-1 -> sift-2 -> sift-3|sift-2 -> sift-3 -> sift-1|sift-3 -> sift-1 -> sift-2/)
  })

  it('is not to blame for what is wrong elsewhere', () => {
    const broken = flowOf(
      ['sift-1', 'sift-2', 'sift-3', 'sift-4'],
      ['sift-1.data -> sift-2.any', 'sift-2.data -> sift-1.any']
    )
    assert.ok(judgeWire(broken, catalogue, output('sift-3.data'), input('sift-4.any')).fits)
  })

  it('may lead to an input that is not known yet', () => {
    const open = flowOf(['webhook-1', 'gather-1', node('prompt-1', { fields: { template: '{a' } })])
    assert.ok(judgeWire(open, catalogue, output('webhook-1.data'), input('gather-1.part_1')).fits)
    assert.ok(judgeWire(open, catalogue, output('webhook-1.data'), input('prompt-1.a')).fits)
  })
})

/** Any flow of Sifts and Parsers that could be saved. */
const anySound: fc.Arbitrary<Flow> = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 4 }), fc.boolean()), {
    maxLength: 8
  })
  .map((wires) => {
    const nodes = ['webhook-1', 'sift-1', 'sift-2', 'sift-3', 'chat-output-1']
    const from = ['webhook-1.data', 'sift-1.data', 'sift-2.text', 'sift-3.data', 'chat-output-1.message']
    const to = ['', 'sift-1.any', 'sift-2.any', 'sift-3.table', 'chat-output-1.text']
    return wires.reduce((flow, [one, other]) => {
      const verdict = judgeWire(flow, catalogue, output(from[one]!), input(to[other] || 'sift-1.table'))
      return verdict.fits ? applyCommand(flow, { kind: 'connect', edge: verdict.edge }) : flow
    }, flowOf(nodes))
  })

describe('what fits', () => {
  const ports = (flow: Flow, side: Handle['side']) =>
    flow.nodes.flatMap((found) => {
      const typed = catalogue.typed(found)
      const names = Object.keys((side === 'input' ? typed.inputs : typed.component?.outputs) ?? {})
      return names.map((port): Handle => ({ node: found.id, port, side }))
    })

  it('is what the service would save: judged one by one, lit up all at once, and saved', () => {
    fc.assert(
      fc.property(anySound, fc.constantFrom('input' as const, 'output' as const), (flow, side) => {
        assert.deepEqual(validateFlow(flow, catalogue).faults, undefined)
        for (const end of ports(flow, side)) {
          const lit = portsThatFit(flow, catalogue, end)
          for (const other of ports(flow, side === 'input' ? 'output' : 'input')) {
            const verdict = judgeWire(flow, catalogue, end, other)
            assert.equal(
              lit.has(`${other.node}.${other.port}`),
              verdict.fits,
              JSON.stringify([end, other, verdict])
            )
            const [from, to] = side === 'output' ? [end, other] : [other, end]
            const edge = { from: `${from.node}.${from.port}`, to: `${to.node}.${to.port}` }
            const after = applyCommand(flow, { kind: 'connect', edge })
            assert.equal(validateFlow(after, catalogue).faults === undefined, verdict.fits)
          }
        }
      }),
      { numRuns: 30 }
    )
  })
})
