import assert from 'node:assert/strict'
import { builtInCatalogue } from '../../contexts/catalogue.test-kit.ts'
import type { Fault } from '../../errors.ts'
import type { AnyComponent } from '../component/component.ts'
import { validateFlow } from './validate-flow.ts'

const everyKind: AnyComponent = {
  type: 'every-kind',
  title: 'Every Kind',
  fields: {
    text: { kind: 'text', title: 'Text' },
    secret: { kind: 'secret', title: 'Secret' },
    flag: { kind: 'boolean', title: 'Flag' },
    count: { kind: 'number', title: 'Count', min: 1, max: 9, integer: true },
    json: { kind: 'json', title: 'JSON' },
    keys: {
      kind: 'rows',
      title: 'Keys',
      item: 'key',
      maxItems: 2,
      columns: { field: { title: 'Key' }, direction: { title: 'Direction', choices: ['up', 'down'] } }
    }
  },
  inputs: { table: { title: 'Table', type: 'table' } },
  run: () => ({})
}
export const catalogue = builtInCatalogue(everyKind)

export const webhook = { id: 'webhook-1', type: 'webhook' }
export const parser = { id: 'parser-1', type: 'parser' }
export const chatOutput = { id: 'chat-output-1', type: 'chat-output' }

export function faultsOf(more: Record<string, unknown>): readonly Fault[] {
  return validateFlow({ name: 'Test', slug: 'test', ...more }, catalogue).faults ?? []
}

/** The only fault of a document; it must have just one. */
export function faultOf(more: Record<string, unknown>): Fault {
  const faults = faultsOf(more)
  assert.equal(faults.length, 1, JSON.stringify(faults))
  return faults[0]!
}

export function edge(from: string, to: string, nodes: object[] = [webhook, parser, chatOutput]) {
  return { nodes, edges: [{ from, to }] }
}
