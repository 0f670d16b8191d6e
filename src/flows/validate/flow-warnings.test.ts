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

  it('name references in fields that take no templates, and read none', () => {
    const separator = 'x{$nodes.webhook-1.data}'
    const fields = { template: '{$now}', separator }
    const nodes = [webhook, { ...parser, fields }, { ...parser, id: 'off', fields, disabled: true }]
    const edges = [{ from: 'webhook-1.data', to: 'parser-1.data' }]
    const { document } = validateFlow({ name: 'A', slug: 'a', nodes, edges }, catalogue)
    const [warning, ...others] = flowWarnings(document!, catalogue)
    assert.deepEqual(others, [])
    assert.equal(warning!.path, '/nodes/1/fields/separator')
    assert.match(warning!.message, /^Field "separator".*: \{\$nodes\.webhook-1\.data\} is not read there/)
    const plain = {
      ...document!,
      nodes: document!.nodes.map((node) => ({ ...node, fields: { separator: '{$region}, $now' } }))
    }
    assert.deepEqual(flowWarnings(plain, catalogue), [])
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
      ({
        context: '/',
        nodes: [...nodes, ...more].map((node) => ({ fields: {}, ...node })),
        edges
      }) as unknown as FlowDocument
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

  it('name where callers who wait for an answer get none', () => {
    const hook = { ...webhook, fields: { respond: 'When the flow answers' } }
    const choice = { id: 'choice', type: 'if-else', fields: { left: '{a}', right: '1' } }
    const [answer, other] = [
      { id: 'answer', type: 'respond' },
      { id: 'other', type: 'return' }
    ]
    const warned = (nodes: object[], ...wires: string[]) => {
      const edges = wires.map((wire) => ({ from: wire.split(' ')[0], to: wire.split(' ')[1] }))
      const { document } = validateFlow({ name: 'A', slug: 'a', nodes, edges }, catalogue)
      return flowWarnings(document!, catalogue)
        .filter(({ code }) => code === 'may_not_answer')
        .map(({ node, message }) => `${node} ${/behind "(.*?)"/.exec(message)?.[1] ?? ''}`.trim())
    }
    const chosen = ['webhook-1.data choice.data', 'choice.true answer.data']
    assert.deepEqual(warned([hook, parser], 'webhook-1.data parser-1.data'), ['webhook-1'])
    assert.deepEqual(warned([webhook, parser], 'webhook-1.data parser-1.data'), [])
    assert.deepEqual(warned([hook, choice, answer], ...chosen), ['choice False'])
    assert.deepEqual(warned([hook, choice, answer, other], ...chosen, 'choice.false other.data'), [])
    assert.deepEqual(warned([hook, choice, answer, other], ...chosen, 'webhook-1.data other.data'), [])
    const failing = { ...parser, on_error: 'output' }
    assert.deepEqual(
      warned([hook, failing, answer], 'webhook-1.data parser-1.data', 'parser-1.parsed_text answer.data'),
      ['parser-1 Error']
    )
  })

  it('name a Respond that stands in a region, where it answers nobody', () => {
    const hook = { ...webhook, fields: { respond: 'When the flow answers' } }
    const inside = { id: 'answer', type: 'respond', parent: 'lines' }
    const nodes = [hook, { id: 'lines', type: 'for-each' }, inside]
    const edges = [
      { from: 'webhook-1.data', to: 'lines.items' },
      { from: 'lines.item', to: 'answer.data' },
      { from: 'answer.data', to: 'lines.result' }
    ]
    const warned = (more: object[], wires: object[] = []) => {
      const sent = { name: 'A', slug: 'a', nodes: [...nodes, ...more], edges: [...edges, ...wires] }
      return flowWarnings(validateFlow(sent, catalogue).document!, catalogue).map(
        ({ code, node }) => `${code} ${node}`
      )
    }
    assert.deepEqual(warned([]), ['may_not_answer webhook-1', 'respond_in_region answer'])
    const behind = [{ from: 'lines.results', to: 'report.data' }]
    assert.deepEqual(warned([{ id: 'report', type: 'return' }], behind), ['respond_in_region answer'])
  })

  it('name a time that anybody can set, since the signature is not of it', () => {
    const rule = { auth: 'Signature', signature_scheme: 'HMAC', signature_header: 'x-sign' }
    const warned = (fields: object) => {
      const nodes = [{ ...webhook, fields: { ...rule, ...fields } }]
      const { document } = validateFlow({ name: 'A', slug: 'a', nodes }, catalogue)
      return flowWarnings(document!, catalogue).map(({ code, message }) => `${code} ${message}`)
    }
    assert.deepEqual(warned({}), [])
    assert.deepEqual(warned({ timestamp_header: 'X-Time', signed_text: '{header:x-time}.{body}' }), [])
    assert.deepEqual(warned({ timestamp_header: 'x-time', signature_scheme: 'GitHub' }), [])
    const [warning = '', ...others] = warned({ timestamp_header: 'X-Time' })
    assert.match(warning, /^time_not_signed .*the time in x-time.*\{header:x-time\}/)
    assert.deepEqual(others, [])
  })
})
