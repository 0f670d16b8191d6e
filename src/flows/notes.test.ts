import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { builtInCatalogue } from '../contexts/catalogue.test-kit.ts'
import { planFlow } from '../engine/plan.ts'
import type { Fault } from '../errors.ts'
import { EXAMPLE_FLOW } from './document/example-flow.ts'
import type { FlowDocument } from './document/flow-document.ts'
import { validateFlow } from './validate/validate-flow.ts'

const catalogue = builtInCatalogue()
const note = { id: 'note-1', text: '# Why', position: { x: 8, y: 16 } }

function faultsWith(notes: unknown): readonly Fault[] {
  return validateFlow({ ...EXAMPLE_FLOW, notes }, catalogue).faults ?? []
}

describe('notes', () => {
  it('are kept as they were sent, and no run knows of them', () => {
    const sent = {
      ...EXAMPLE_FLOW,
      notes: [note, { ...note, id: 'note-2', size: { width: 240, height: 120 }, colour: 'blue' }]
    }
    const { document } = validateFlow(sent, catalogue)
    assert.equal(JSON.stringify(document?.notes), JSON.stringify(sent.notes))
    const planned = (of: FlowDocument) => planFlow({ id: 'f', version: 1, document: of }, catalogue).nodes
    assert.deepEqual(
      planned(document!).map(({ id }) => id),
      planned(EXAMPLE_FLOW).map(({ id }) => id)
    )
  })

  it('may leave out where they stand', () => {
    const { document } = validateFlow({ ...EXAMPLE_FLOW, notes: [{ id: 'note-1', text: '' }] }, catalogue)
    assert.deepEqual(document?.notes, [{ id: 'note-1', text: '', position: { x: 0, y: 0 } }])
  })

  it('are groups where they name nodes, also such as are gone', () => {
    const sent = { ...EXAMPLE_FLOW, notes: [{ ...note, text: 'Prepare', nodes: ['webhook-1', 'gone-1'] }] }
    assert.deepEqual(validateFlow(sent, catalogue).document?.notes, sent.notes)
  })

  const rows: [name: string, notes: unknown, code: string, path: string, message: RegExp][] = [
    ['no list', {}, 'invalid_shape', '/notes', /Write a list/],
    ['no text', [{ id: 'note-1' }], 'missing_member', '/notes/0/text', /"text"\. Add it/],
    ['an unknown member', [{ ...note, author: 'A' }], 'unknown_member', '/notes/0/author', /"author"/],
    ['a bad id', [{ ...note, id: 'a b' }], 'invalid_shape', '/notes/0/id', /Use 1 to 100/],
    [
      'an unknown colour',
      [{ ...note, colour: 'pink' }],
      'invalid_shape',
      '/notes/0/colour',
      /"pink"\. Use one of "yellow", .*"grey"/
    ],
    ['no id of a node', [{ ...note, nodes: ['a b'] }], 'invalid_shape', '/notes/0/nodes/0', /Use 1 to 100/],
    ['no size', [{ ...note, size: { width: 0, height: 9 } }], 'invalid_shape', '/notes/0/size/width', /1/],
    ['the id of a note', [note, note], 'duplicate_note_id', '/notes/1/id', /"note-1".*another id/],
    ['the id of a node', [{ ...note, id: 'parser-1' }], 'duplicate_note_id', '/notes/0/id', /"parser-1"/]
  ]
  for (const [name, notes, code, path, message] of rows) {
    it(`have not ${name}`, () => {
      const [fault, ...others] = faultsWith(notes)
      assert.deepEqual([fault?.code, fault?.path, others], [code, path, []])
      assert.match(fault!.message, message)
    })
  }
})

describe('how a node is drawn', () => {
  const drawn = { id: 'webhook-1', type: 'webhook', title: 'In', collapsed: true, shown_fields: ['curl'] }

  it('is kept with the node', () => {
    const { document } = validateFlow({ name: 'A', slug: 'a', nodes: [drawn] }, catalogue)
    assert.deepEqual(document?.nodes[0], { position: { x: 0, y: 0 }, fields: {}, ...drawn })
  })

  it('never keeps a flow from being saved because a component has lost a field', () => {
    const nodes = [{ ...drawn, shown_fields: ['gone'] }]
    assert.deepEqual(validateFlow({ name: 'A', slug: 'a', nodes }, catalogue).faults, undefined)
  })

  it('is of the right shape', () => {
    const nodes = [{ ...drawn, collapsed: 'yes', shown_fields: [1] }]
    const paths = validateFlow({ name: 'A', slug: 'a', nodes }, catalogue).faults?.map(({ path }) => path)
    assert.deepEqual(paths, ['/nodes/0/collapsed', '/nodes/0/shown_fields/0'])
  })
})
