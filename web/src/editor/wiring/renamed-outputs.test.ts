import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { applyCommand } from '../commands/apply-command.ts'
import type { Flow, Node } from '../graph/flow.ts'
import { builtInCatalogue } from './page-catalogue.test-kit.ts'
import { renamedOutputs } from './renamed-outputs.ts'

const catalogue = builtInCatalogue()
const CASES = ['Paid', 'Refunded', 'Default']

const node: Node = {
  id: 'switch-1',
  type: 'switch',
  position: { x: 0, y: 0 },
  fields: { value: '{status}', cases: CASES }
}
const renamed = (cases: unknown, field = 'cases') =>
  renamedOutputs(node, catalogue.find('/', 'switch'), field, cases)

/** Where the wires of the cases lead after the change. */
function wiresAfter(cases: readonly string[]): string[] {
  const edges = ['paid', 'refunded', 'default_2'].map((port) => ({
    from: `switch-1.${port}`,
    to: `${port}.in`
  }))
  const flow = { nodes: [node], edges } as unknown as Flow
  const field = { node: 'switch-1', field: 'cases', value: cases }
  const after = applyCommand(flow, { kind: 'set-field', ...field, renamed: renamed(cases) })
  return after.edges.map(({ from, to }) => `${from.slice('switch-1.'.length)} ${to}`)
}

describe('the wire of a case', () => {
  it('follows it to another name, letter by letter', () => {
    assert.deepEqual(renamed(['Pai', 'Refunded', 'Default']), { paid: 'pai' })
    assert.deepEqual(wiresAfter(['Very late', 'Refunded', 'Default']), [
      'very-late paid.in',
      'refunded refunded.in',
      'default_2 default_2.in'
    ])
  })

  it('keeps to its case where two change names', () => {
    assert.deepEqual(wiresAfter(['Refunded', 'Paid', 'Default']).slice(0, 2), [
      'refunded paid.in',
      'paid refunded.in'
    ])
  })

  it('keeps to its case where one before it is taken out, or one comes', () => {
    assert.equal(renamed(['Refunded', 'Default']), undefined)
    const twice = { ...node, fields: { ...node.fields, cases: ['Paid', 'Paid'] } }
    const component = catalogue.find('/', 'switch')
    assert.deepEqual(renamedOutputs(twice, component, 'cases', ['Paid']), undefined)
    assert.equal(renamed([...CASES, 'case 4']), undefined)
  })

  it('is let be by fields that make no outputs, and by what is not a list', () => {
    assert.equal(renamed('x', 'value'), undefined)
    assert.equal(renamed('x'), undefined)
  })
})
