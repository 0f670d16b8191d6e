import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FlowDocument } from '../document/flow-document.ts'
import { catalogue, chatOutput, parser, webhook } from './document-faults.test-kit.ts'
import { flowWarnings } from './flow-warnings.ts'
import { validateFlow } from './validate-flow.ts'

describe('warnings', () => {
  it('name what is not wired, unless it is disabled', () => {
    const idle = [parser, { ...chatOutput, disabled: true }]
    const { document } = validateFlow({ name: 'A', slug: 'a', nodes: [webhook, ...idle] }, catalogue)
    const [warning, ...others] = flowWarnings(document!, catalogue)
    assert.deepEqual(others, [])
    assert.deepEqual([warning!.code, warning!.path, warning!.node], ['not_wired', '/nodes/1', 'parser-1'])
  })

  it('name what stands in a region without having to do with its items', () => {
    const inside = (id: string, more: object = {}) => ({ ...parser, id, parent: 'each', ...more })
    const nodes = [
      webhook,
      inside('item'),
      inside('feeder'),
      inside('given'),
      inside('loose'),
      inside('alone')
    ]
    const edges = [
      { from: 'webhook-1.data', to: 'each.items' },
      { from: 'each.item', to: 'item.data' },
      { from: 'feeder.parsed_text', to: 'item.data' },
      { from: 'given.parsed_text', to: 'each.result' },
      { from: 'loose.parsed_text', to: 'alone.data' }
    ]
    const flow = (more: object[]) =>
      ({ context: '/', nodes: [...nodes, ...more], edges }) as unknown as FlowDocument
    const each = { id: 'each', type: 'for-each' }
    const codes = flowWarnings(flow([each]), catalogue).map(({ code, node }) => [code, node])
    assert.deepEqual(codes, [
      ['loose_in_region', 'loose'],
      ['loose_in_region', 'alone']
    ])
    assert.deepEqual(
      flowWarnings(flow([{ ...each, id: 'other' }]), catalogue).filter(
        ({ code }) => code === 'loose_in_region'
      ),
      []
    )
  })
})
