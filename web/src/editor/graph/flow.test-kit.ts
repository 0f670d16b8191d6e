import fc from 'fast-check'
import type { Command, Fragment } from '../commands/command.ts'
import { placeGroups } from '../groups/groups.ts'
import { type Edge, edgeKey, type Flow, type Node, type Note } from './flow.ts'

/** Webhook → Parser → Chat Output, as in the contract. */
export const ORDERS: Flow = {
  name: 'Orders',
  slug: 'orders',
  context: '/',
  nodes: [
    { id: 'webhook-1', type: 'webhook', position: { x: 0, y: 0 }, fields: {} },
    {
      id: 'parser-1',
      type: 'parser',
      position: { x: 320, y: 0 },
      fields: { mode: 'Parser', template: 'Order {order_id} from {customer}' }
    },
    { id: 'chat-output-1', type: 'chat-output', position: { x: 640, y: 0 }, fields: {} }
  ],
  edges: [
    { from: 'webhook-1.data', to: 'parser-1.data' },
    { from: 'parser-1.parsed_text', to: 'chat-output-1.text' }
  ]
}

export function node(id: string, more: Partial<Node> = {}): Node {
  return { id, type: id.replace(/-\d+$/, ''), position: { x: 0, y: 0 }, fields: {}, ...more }
}

export function note(id: string, text = 'Why?', more: Partial<Note> = {}): Note {
  return { id, text, position: { x: 0, y: 0 }, ...more }
}

/** A flow drawn as text, one edge a line: `a.out -> b.in`. Nodes are of the type that their id names. */
export function flowOf(
  nodes: readonly (string | Node)[],
  edges: readonly string[] = [],
  more: Partial<Flow> = {}
): Flow {
  return {
    name: 'Test',
    slug: 'test',
    context: '/',
    nodes: nodes.map((part) => (typeof part === 'string' ? node(part) : part)),
    edges: edges.map(edge),
    ...more
  }
}

export function edge(text: string): Edge {
  const [from, to] = text.split(' -> ')
  return { from: from!, to: to! }
}

/** Few ids, so that commands meet what is there and two editors meet each other. */
const IDS = ['a-1', 'a-2', 'b-1', 'b-2', 'c-1', 'note-1', 'note-2']
const NODE_IDS = IDS.slice(0, 5)
const NOTE_IDS = IDS.slice(5)

/** As JSON.parse makes it: fast-check may make objects without a prototype. */
const plain = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  value.map((made) => JSON.parse(JSON.stringify(made)) as T)

const position = fc.record({ x: fc.integer({ min: -9, max: 9 }), y: fc.integer({ min: -9, max: 9 }) })
const word = fc.constantFrom('one', 'two', 'three', '')
const anyNode: fc.Arbitrary<Node> = fc
  .record({
    id: fc.constantFrom(...NODE_IDS),
    position,
    fields: fc.dictionary(fc.constantFrom('f', 'g', '__proto__'), word)
  })
  .map(({ id, position, fields }) => ({ id, type: id[0]!, position, fields }))
const anyNote: fc.Arbitrary<Note> = fc.record(
  {
    id: fc.constantFrom(...NOTE_IDS),
    text: word,
    position,
    nodes: fc.uniqueArray(fc.constantFrom(...NODE_IDS), { minLength: 1, maxLength: 3 })
  },
  { requiredKeys: ['id', 'text', 'position'] }
)
const anyEdge: fc.Arbitrary<Edge> = fc
  .tuple(
    fc.constantFrom(...NODE_IDS),
    fc.constantFrom('x', 'y'),
    fc.constantFrom(...NODE_IDS),
    fc.constantFrom('x', 'y')
  )
  .map(([from, output, to, input]) => ({ from: `${from}.${output}`, to: `${to}.${input}` }))

const distinct = <T extends { readonly id: string }>(part: fc.Arbitrary<T>, maxLength: number) =>
  fc.uniqueArray(part, { selector: ({ id }) => id, maxLength })

export const anyFragment: fc.Arbitrary<Fragment> = plain(
  fc.record({
    nodes: distinct(anyNode, 3),
    edges: fc.array(anyEdge, { maxLength: 3 }),
    notes: distinct(anyNote, 2)
  })
)

/** A flow that could have been saved: its ids are its own, its edges have both ends, an input takes one. */
export const anyFlow: fc.Arbitrary<Flow> = plain(
  fc
    .record({
      nodes: distinct(anyNode, 5),
      edges: fc.array(anyEdge, { maxLength: 6 }),
      notes: distinct(anyNote, 2)
    })
    .map(({ nodes, edges, notes }) => {
      const ids = new Set(nodes.map(({ id }) => id))
      const isSound = (end: string) => ids.has(end.split('.')[0]!)
      const sound = edges.filter(({ from, to }) => isSound(from) && isSound(to))
      const byInput = [...new Map(sound.map((found) => [found.to, found])).values()]
      const around = notes.map((made) => withMembers(made, ids))
      return placeGroups({
        name: 'Any',
        slug: 'any',
        context: '/',
        nodes,
        edges: byInput,
        ...(notes.length === 0 ? {} : { notes: around })
      })
    })
)

/** A group of nodes that are there, or a note. */
function withMembers({ nodes = [], ...made }: Note, ids: ReadonlySet<string>): Note {
  const members = nodes.filter((id) => ids.has(id))
  return members.length === 0 ? made : { ...made, nodes: members }
}

const nodeId = fc.constantFrom(...NODE_IDS)
const simpleCommand: fc.Arbitrary<Command> = fc.oneof(
  fc.record({ kind: fc.constant('insert' as const), fragment: anyFragment }),
  fc.record({
    kind: fc.constant('remove' as const),
    ids: fc.array(fc.constantFrom(...IDS), { maxLength: 3 }),
    edges: fc.array(anyEdge, { maxLength: 2 })
  }),
  fc.record({
    kind: fc.constant('move' as const),
    positions: fc.dictionary(fc.constantFrom(...IDS), position)
  }),
  fc.record({ kind: fc.constantFrom('connect' as const, 'disconnect' as const), edge: anyEdge }),
  fc.record({ kind: fc.constant('reconnect' as const), edge: anyEdge, as: anyEdge }),
  fc.record({
    kind: fc.constant('splice' as const),
    node: nodeId,
    edge: anyEdge,
    input: fc.constantFrom('x', 'y'),
    output: fc.constantFrom('x', 'y')
  }),
  fc.record({
    kind: fc.constant('set-field' as const),
    node: nodeId,
    field: fc.constantFrom('f', 'g', '__proto__'),
    value: word
  }),
  fc.record({ kind: fc.constant('reset-field' as const), node: nodeId, field: fc.constantFrom('f', 'g') }),
  fc.record({
    kind: fc.constant('change-node' as const),
    node: nodeId,
    changes: fc.oneof(
      fc.record({ title: fc.option(fc.constantFrom('T', 'U')) }),
      fc.record({ timeout_ms: fc.option(fc.constantFrom(1, 2)) })
    )
  }),
  fc.record({
    kind: fc.constant('change-note' as const),
    note: fc.constantFrom(...NOTE_IDS),
    changes: fc.oneof(
      fc.record({ text: word }),
      fc.record({ colour: fc.option(fc.constantFrom('red' as const, 'blue' as const)) })
    )
  }),
  fc.record({
    kind: fc.constant('change-flow' as const),
    changes: fc.record({ name: fc.constantFrom('Any', 'Other', 'Third') })
  }),
  fc.record({
    kind: fc.constant('rewire' as const),
    node: nodeId,
    renamed: fc.constant({ x: 'z' }),
    gone: fc.constantFrom([], ['y'])
  })
)

export const anyCommand: fc.Arbitrary<Command> = plain(
  fc.oneof(
    { weight: 9, arbitrary: simpleCommand },
    {
      weight: 1,
      arbitrary: fc
        .array(simpleCommand, { maxLength: 3 })
        .map((commands): Command => ({ kind: 'all', commands, label: 'All' }))
    }
  )
)

/** What is wrong with a flow's structure, in words; nothing when it could be saved. */
export function structureFaults(flow: Flow): string[] {
  const parts = [...flow.nodes, ...(flow.notes ?? [])].map(({ id }) => id)
  const doubled = parts.filter((id, index) => parts.indexOf(id) !== index)
  const ids = new Set(flow.nodes.map(({ id }) => id))
  const edges = flow.edges.map(edgeKey)
  return [
    ...doubled.map((id) => `two parts have the id ${id}`),
    ...edges.filter((key, index) => edges.indexOf(key) !== index).map((key) => `twice there: ${key}`),
    ...flow.edges.flatMap(({ from, to }) =>
      [from, to]
        .filter((end) => !ids.has(end.split('.')[0]!))
        .map((end) => `an edge leads to nowhere: ${end}`)
    )
  ]
}
