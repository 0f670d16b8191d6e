import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { validateFlow } from '../../../../src/flows/validate/validate-flow.ts'
import { applyCommand } from '../commands/apply-command.ts'
import { edge, flowOf, node, ORDERS } from '../graph/flow.test-kit.ts'
import type { Flow } from '../graph/flow.ts'
import { indexWires } from '../graph/wire-index.ts'
import { drawnInputs, drawnOutputs } from './drawn-ports.ts'
import { componentsThatFit, newNode, whyNotAdd, whyNotFit } from './fitting-components.ts'
import { fieldKey, placeFaults } from './flow-faults.ts'
import { healAround } from './heal-around.ts'
import { portsThatFit } from './judge-wire.ts'
import { testCatalogue } from './page-catalogue.test-kit.ts'
import { rewireInputs } from './rewire-inputs.ts'
import { spliceInto } from './splice.ts'

const catalogue = testCatalogue()
const prompt = (template: string) => node('prompt-1', { fields: { template } })

describe('quick-add at the end of a wire', () => {
  const offers = (port: string, side: 'input' | 'output', flow = ORDERS) => {
    const [id, name] = port.split('.')
    return componentsThatFit(flow, catalogue, { node: id!, port: name!, side })
  }
  const names = (found: ReturnType<typeof offers>) => found.map(({ facts, port }) => `${facts.type}.${port}`)

  it('offers what takes the output', () => {
    assert.deepEqual(names(offers('webhook-1.data', 'output')), [
      'parser.data',
      'prompt.data',
      'sift.any',
      'chat-input.data'
    ])
    assert.deepEqual(names(offers('parser-1.parsed_text', 'output')), [
      'prompt.parsed_text',
      'chat-output.text',
      'gather.head',
      'sift.any',
      'chat-input.text'
    ])
  })

  it('offers what feeds the input, but no second Webhook', () => {
    assert.deepEqual(names(offers('parser-1.data', 'input')), [
      'sift.data',
      'gather.rows',
      'chat-input.files'
    ])
    assert.deepEqual(names(offers('parser-1.data', 'input', flowOf(['parser-1']))), [
      'sift.data',
      'gather.rows',
      'webhook.data',
      'chat-input.files'
    ])
  })

  it('makes the input by the template where there is none yet, and the node comes with its wire', () => {
    const handle = { node: 'webhook-1', port: 'data', side: 'output' } as const
    const offer = offers('webhook-1.data', 'output').find(({ facts }) => facts.type === 'prompt')!
    const fragment = newNode(ORDERS, { x: 5, y: 6 }, offer, handle)
    assert.deepEqual(fragment, {
      nodes: [{ id: 'prompt-1', type: 'prompt', position: { x: 5, y: 6 }, fields: { template: '{data}' } }],
      edges: [{ from: 'webhook-1.data', to: 'prompt-1.data' }],
      notes: []
    })
    const after = applyCommand(ORDERS, { kind: 'insert', fragment })
    assert.deepEqual(validateFlow(after, catalogue).faults, undefined)
  })

  it('offers what takes the very type first, and says why the others do not fit', () => {
    const handle = { node: 'parser-1', port: 'parsed_text', side: 'output' } as const
    const [first, ...rest] = componentsThatFit(ORDERS, catalogue, handle).filter(
      ({ facts }) => facts.trigger === null
    )
    const typeOf = ({ facts, port }: typeof first & object) => facts.inputs[port]?.type ?? 'text'
    const isSame = [first!, ...rest].map((offer) => typeOf(offer) === 'text')
    assert.deepEqual(
      isSame,
      isSame.toSorted((one, other) => Number(other) - Number(one))
    )
    const why = (type: string) => whyNotFit(ORDERS, catalogue, catalogue.facts(type)!, handle)
    assert.equal(why('chat-output'), undefined)
    assert.equal(why('webhook'), 'It starts runs, so no wire leads to it.')
  })

  it('tells why a second trigger cannot be added', () => {
    const facts = catalogue.facts('webhook')!
    assert.match(whyNotAdd(ORDERS, catalogue, facts) ?? '', /already has a Webhook \(webhook-1\)/)
    assert.equal(whyNotAdd(flowOf([]), catalogue, facts), undefined)
    assert.equal(whyNotAdd(ORDERS, catalogue, catalogue.facts('parser')!), undefined)
  })
})

describe('the ports that are drawn', () => {
  const inputs = (flow: ReturnType<typeof flowOf>) =>
    drawnInputs(indexWires(flow), catalogue, flow.nodes.find(({ id }) => id === 'prompt-1')!).map(
      ({ name, isGone, fedBy }) => `${name}${fedBy === undefined ? '' : ' fed'}${isGone ? ' gone' : ''}`
    )

  it('are those of the node, and those that wires still lead to', () => {
    const wires = ['webhook-1.data -> prompt-1.name']
    assert.deepEqual(inputs(flowOf(['webhook-1', prompt('{name} {age}')], wires)), ['name fed', 'age'])
    assert.deepEqual(inputs(flowOf(['webhook-1', prompt('{nam}')], wires)), ['nam', 'name fed gone'])
    assert.deepEqual(inputs(flowOf(['webhook-1', prompt('{name')], wires)), ['name fed'])
  })

  it('have an output for errors where these are led on', () => {
    const parser = node('parser-1', { on_error: 'output' })
    const flow = flowOf([parser, 'chat-output-1'], ['parser-1.error -> chat-output-1.text'])
    const names = drawnOutputs(indexWires(flow), catalogue, parser).map(({ name, isGone }) => [name, isGone])
    assert.deepEqual(names, [
      ['parsed_text', false],
      ['error', false]
    ])
    const pulled = { node: 'parser-1', port: 'error', side: 'output' } as const
    assert.ok(portsThatFit(flow, catalogue, pulled).has('chat-output-1.text'))
  })

  it('have outputs that are gone as long as a wire comes from them', () => {
    const flow = flowOf(['webhook-1', 'parser-1'], ['webhook-1.old -> parser-1.data'])
    assert.deepEqual(
      drawnOutputs(indexWires(flow), catalogue, flow.nodes[0]!).map(({ name, isGone }) => [name, isGone]),
      [
        ['data', false],
        ['request', false],
        ['old', true]
      ]
    )
  })
})

describe('wires after a template was edited', () => {
  const wires = ['webhook-1.data -> prompt-1.name', 'webhook-1.data -> prompt-1.age']
  const after = (template: string, before = ['name', 'age']) =>
    rewireInputs(flowOf(['webhook-1', prompt(template)], wires), catalogue, { node: 'prompt-1', before })

  it('stay where every input is still there', () => {
    assert.equal(after('{age} {name}'), undefined)
    assert.equal(after('{age} {name'), undefined, 'nothing is known of a broken template')
  })

  it('follow the one input that got another name', () => {
    const command = after('{full name} {age}')
    assert.deepEqual(command, { kind: 'rewire', node: 'prompt-1', renamed: { name: 'full name' }, gone: [] })
  })

  it('go with inputs that are gone', () => {
    const command = after('{age}')
    assert.deepEqual(command, { kind: 'rewire', node: 'prompt-1', renamed: {}, gone: ['name'] })
    assert.deepEqual(after('{x} {y}'), {
      kind: 'rewire',
      node: 'prompt-1',
      renamed: {},
      gone: ['name', 'age']
    })
  })
})

describe('a node dropped on a wire', () => {
  const wire = edge('webhook-1.data -> parser-1.data')
  const flow = flowOf(
    ['webhook-1', 'parser-1', 'sift-1', 'chat-output-1', 'prompt-1'],
    ['webhook-1.data -> parser-1.data']
  )

  it('is put into it where both halves fit', () => {
    const splice = spliceInto(flow, catalogue, 'sift-1', wire)
    assert.deepEqual(splice?.command, {
      kind: 'splice',
      node: 'sift-1',
      edge: wire,
      input: 'any',
      output: 'data'
    })
    const after = applyCommand(flow, splice!.command!)
    assert.deepEqual(
      after.edges.map(({ from, to }) => `${from} -> ${to}`),
      ['sift-1.data -> parser-1.data', 'webhook-1.data -> sift-1.any']
    )
  })

  it('says why where a half does not fit', () => {
    assert.match(
      spliceInto(flow, catalogue, 'chat-output-1', wire)?.message ?? '',
      /Chat Output has no input that takes data/
    )
    assert.match(spliceInto(flow, catalogue, 'prompt-1', wire)?.message ?? '', /Prompt has no input/)
    const second = flowOf(['webhook-1', 'sift-1', 'parser-1'], ['webhook-1.data -> sift-1.any'])
    const fit = spliceInto(second, catalogue, 'parser-1', edge('webhook-1.data -> sift-1.any'))
    assert.deepEqual(fit?.command?.kind, 'splice', 'an input that takes anything takes text')
    const strict = flowOf(['webhook-1', 'parser-1', 'parser-2'], ['webhook-1.data -> parser-1.data'])
    const misfit = spliceInto(strict, catalogue, 'parser-2', edge('webhook-1.data -> parser-1.data'))
    assert.match(misfit?.message ?? '', /Parser has no output that gives data/)
  })

  it('is left alone when it has wires of its own, or is an end of that wire', () => {
    const wired = applyCommand(flow, { kind: 'connect', edge: edge('sift-1.text -> chat-output-1.text') })
    assert.equal(spliceInto(wired, catalogue, 'sift-1', wire), undefined)
    assert.equal(spliceInto(flow, catalogue, 'parser-1', wire), undefined)
  })

  it('leaves the wire whole when it is removed again', () => {
    const after = applyCommand(flow, spliceInto(flow, catalogue, 'sift-1', wire)!.command!)
    assert.deepEqual(healAround(after, catalogue, 'sift-1'), [wire])
    assert.deepEqual(healAround(ORDERS, catalogue, 'parser-1'), [], 'data does not fit text')
  })
})

describe('the faults of a flow', () => {
  const faultsOf = (flow: Flow) => placeFaults(flow, validateFlow(flow, catalogue).faults ?? [])

  it('are found by where they are shown', () => {
    const flow = flowOf(
      [node('parser-1', { fields: { mode: 'Shout' } }), 'lost-1', prompt('{a'), 'webhook-1', 'chat-output-1'],
      ['webhook-1.data -> chat-output-1.text', 'webhook-1.request -> prompt-1.a'],
      { name: '' }
    )
    const faults = faultsOf({ ...flow, name: 'x' })
    assert.deepEqual(
      [...faults.ofField.keys()],
      [fieldKey('parser-1', 'mode'), fieldKey('prompt-1', 'template')]
    )
    assert.deepEqual([...faults.ofNode.keys()], ['lost-1'])
    assert.deepEqual([...faults.ofEdge.keys()], ['webhook-1.data -> chat-output-1.text'])
    assert.deepEqual(faults.ofFlow, [])
    assert.equal(faultsOf(flow).ofFlow[0]?.path, '/name')
  })
})
