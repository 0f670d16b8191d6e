import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { validateFlow } from '../../../../src/flows/validate/validate-flow.ts'
import { applyCommand } from '../commands/apply-command.ts'
import { insertFragment } from '../commands/insert-fragment.ts'
import { anyFlow, flowOf, node, note, ORDERS, structureFaults } from '../graph/flow.test-kit.ts'
import { takenIds } from '../graph/flow.ts'
import { testCatalogue } from '../wiring/page-catalogue.test-kit.ts'
import { copySelection, fragmentOf } from './copy-selection.ts'
import { placeAt, placeBeside, placeFreely } from './place-fragment.ts'
import { pasteNotices, readClipboard } from './read-clipboard.ts'

const catalogue = testCatalogue()

function fragmentIn(text: string) {
  const { fragment, message } = readClipboard(text)
  assert.ok(fragment, message)
  return fragment
}

describe('what is pasted', () => {
  it('has no more levels than a flow can hold', () => {
    const deep = `{"nodes":[{"id":"a","type":"parser","fields":{"x":${'['.repeat(8000)}${']'.repeat(8000)}}}],"edges":[]}`
    assert.match(readClipboard(deep).message ?? '', /more than 992 levels/)
  })
})

describe('a selection that is copied', () => {
  it('is a flow document with the edges among its nodes', () => {
    const text = copySelection(ORDERS, new Set(['webhook-1', 'parser-1']))
    assert.deepEqual(JSON.parse(text), {
      ...ORDERS,
      nodes: ORDERS.nodes.slice(0, 2),
      edges: ORDERS.edges.slice(0, 1)
    })
    assert.deepEqual(validateFlow(JSON.parse(text), catalogue).faults, undefined)
  })

  it('takes notes along', () => {
    const flow = { ...ORDERS, notes: [note('note-1'), note('note-2')] }
    assert.deepEqual(JSON.parse(copySelection(flow, new Set(['note-2']))).notes, [note('note-2')])
  })

  it('comes back as it was, into an empty flow, and beside itself with other ids', () => {
    fc.assert(
      fc.property(anyFlow, (flow) => {
        fc.pre(takenIds(flow).size > 0)
        const fragment = fragmentIn(copySelection(flow, takenIds(flow)))
        const empty = { ...flow, nodes: [], edges: [], notes: [] }
        const again = applyCommand(empty, { kind: 'insert', fragment })
        assert.deepEqual({ notes: [], ...again }, { notes: [], ...flow })
        const twice = applyCommand(flow, { kind: 'insert', fragment: placeBeside(fragment, flow) })
        assert.deepEqual(structureFaults(twice), [])
        assert.equal(twice.nodes.length, 2 * flow.nodes.length)
        assert.equal(twice.edges.length, 2 * flow.edges.length)
      })
    )
  })
})

describe('what is pasted', () => {
  it('may be a whole flow as it was exported or read', () => {
    const read = { ...ORDERS, id: 'f', version: 3, created_at: '', updated_at: '', recent_runs: [] }
    assert.deepEqual(fragmentIn(JSON.stringify(read)), {
      nodes: ORDERS.nodes,
      edges: ORDERS.edges,
      notes: []
    })
  })

  it('may leave out what has one obvious value', () => {
    const { nodes } = fragmentIn('{"nodes":[{"id":"a","type":"parser"}]}')
    assert.deepEqual(nodes, [{ id: 'a', type: 'parser', position: { x: 0, y: 0 }, fields: {} }])
  })

  const rubbish: [text: string, message: RegExp][] = [
    ['', /is empty.*Copy nodes/],
    ['hello', /holds text.*Copy nodes/],
    ['{"nodes":', /holds text/],
    ['[1]', /without "nodes"/],
    ['null', /without "nodes"/],
    ['{"nodes":[]}', /no nodes and no notes/],
    ['{"nodes":[{"id":"a b","type":"parser"}]}', /not valid\..*"a b"/],
    ['{"nodes":{}}', /not valid\..*Write a list/],
    ['{"nodes":[{"id":"a","type":"x"},{"id":"a","type":"y"}]}', /two parts with the id "a"/]
  ]
  for (const [text, message] of rubbish) {
    it(`is not ${JSON.stringify(text).slice(0, 50)}, and the message says what can be`, () => {
      assert.match(readClipboard(text).message ?? '', message)
    })
  }

  it('goes to the service where it is of another tool, or several flows', () => {
    const n8n = '{"nodes":[{"type":"n8n-nodes-base.noOp"}],"connections":{}}'
    const nodeRed = '[{"id":"a","type":"inject","wires":[[]]}]'
    const flowise = '{"nodes":[{"id":"a","data":{"name":"llmAgentflow","inputs":{}}}],"edges":[]}'
    const langflow = '{"data":{"nodes":[],"edges":[]}}'
    for (const text of [n8n, `[${n8n}]`, langflow, '{"flows":[]}', nodeRed, flowise])
      assert.deepEqual(readClipboard(text), { foreign: true })
  })

  it('is refused with a message whatever the text is', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        const { fragment, message, foreign } = readClipboard(text)
        assert.ok(fragment !== undefined || foreign === true || message.length > 20)
      })
    )
  })

  it('tells what will keep the flow from being saved', () => {
    const fragment = { nodes: [node('lost-1'), node('webhook-1'), node('parser-1')], edges: [], notes: [] }
    const [unknown, second, ...others] = pasteNotices(ORDERS, catalogue, fragment)
    assert.match(unknown!, /"lost" is unknown here/)
    assert.match(second!, /already has a Webhook \(webhook-1\)/)
    assert.deepEqual(others, [])
  })
})

describe('the place of what is pasted', () => {
  const fragment = {
    nodes: [node('a-1', { position: { x: 10, y: 50 } }), node('b-1', { position: { x: 40, y: 20 } })],
    edges: [],
    notes: [note('note-1', '', { position: { x: 100, y: 100 } })]
  }
  const places = (found: typeof fragment) =>
    [...found.nodes, ...found.notes].map(({ position }) => [position.x, position.y])

  it('is at the cursor, all in their places to each other', () => {
    const at = placeAt(fragment, { x: 0, y: 0 }) as typeof fragment
    assert.deepEqual(places(at), [
      [0, 30],
      [30, 0],
      [90, 80]
    ])
  })

  it('is beside what is there, further each time', () => {
    const flow = flowOf(fragment.nodes)
    const once = insertFragment(flow, placeBeside(fragmentOf(flow, new Set(['a-1'])), flow))
    assert.deepEqual(once.nodes[2]?.position, { x: 42, y: 82 })
    const twice = insertFragment(once, placeBeside(fragmentOf(once, new Set(['a-1'])), once))
    assert.deepEqual(twice.nodes[3]?.position, { x: 74, y: 114 })
  })
})

describe('what is pasted where something lies already', () => {
  it('lies beside it, each time a step further', () => {
    const fragment = fragmentOf(ORDERS, new Set(['parser-1']))
    const corner = { x: 64, y: 96 }
    const paste = (flow: typeof ORDERS) => insertFragment(flow, placeFreely(fragment, corner, flow))
    const pasted = paste(paste(paste(ORDERS))).nodes.slice(ORDERS.nodes.length)
    assert.deepEqual(
      pasted.map(({ position }) => position),
      [corner, { x: 96, y: 128 }, { x: 128, y: 160 }]
    )
  })
})
