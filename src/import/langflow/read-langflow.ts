import type { Turns } from '../../flows/in-turns.ts'
import { type Absorbed, assemble, idsFor, type SourceNode } from '../assembly.ts'
import type { Become } from '../become.ts'
import type { SourceNote } from '../draw-notes.ts'
import type { ImportedFlow, ImportHelp } from '../imported-flow.ts'
import { loopMembers } from '../loops.ts'
import { placeholderFor } from '../placeholder.ts'
import { keyOfOutput } from '../references.ts'
import { TOO_DENSE } from '../too-dense.ts'
import { at, type Members, membersIn, membersOf, numberOf, textOf } from '../values.ts'
import { BASIC } from './basic.ts'
import { isModelWire } from './chosen-model.ts'
import { coworkersOf } from './coworkers.ts'
import { crewPart, isCoworker } from './crews.ts'
import { DATA } from './data.ts'
import { type Followed, followed, tellUnread } from './followed-settings.ts'
import { isKnowledge, knowledge } from './knowledge.ts'
import {
  type LangflowNode,
  type LangflowWire,
  readNode,
  readWire,
  typeOf,
  type WiresAround,
  wiresAround
} from './langflow-node.ts'
import { absorbedBy, wiresPast, withLent } from './lent.ts'
import { MODELS, modelOfProvider } from './models.ts'
import { toolFor, toolStep } from './tools.ts'

/** A flow of Langflow; its tools are flows of their own behind it. */
export function* readLangflow(flow: Members, help: ImportHelp): Turns<ImportedFlow[]> {
  const data = membersOf(flow.data)
  const all = membersIn(data.nodes)
  const wires: LangflowWire[] = []
  for (const edge of membersIn(data.edges)) {
    yield
    wires.push(readWire(edge))
  }
  const around = wiresAround(wires)
  const settings: Followed[] = []
  for (const node of all.filter((each) => !isNote(each))) {
    yield
    settings.push(followed(readNode(node, around)))
  }
  const nodes = yield* withLent(
    settings.map(({ node }) => node),
    around
  )
  const { becomes, absorbed, tools } = yield* becomesOf(nodes, around, help)
  for (const each of settings) {
    yield
    tellUnread(each, { becomes, absorbed })
  }
  const drawn = yield* drawnWires(nodes, { wires, around, becomes, absorbed })
  const meant = wires.length - drawn.filter(({ isMade }) => isMade !== true).length
  const regions = yield* loopMembers(
    nodes.filter(({ type }) => /^Loop/.test(type)).map(({ id }) => ({ key: id, begins: 'item' })),
    drawn
  )
  const description = textOf(flow.description)
  return [
    yield* assemble(
      {
        name: textOf(flow.name) || 'Langflow flow',
        ...(description === '' ? {} : { description }),
        nodes: nodes.map(sourceNode),
        becomes,
        absorbed,
        wires: drawn,
        meant,
        notes: all.filter(isNote).map(noteOf),
        ids: yield* idsFor(nodes.map(({ id, type }) => [id, idName(becomes.get(id), type)])),
        regions
      },
      help
    ),
    ...tools
  ]
}

interface Became {
  readonly becomes: Map<string, Become>
  readonly absorbed: Map<string, Absorbed>
  readonly tools: ImportedFlow[]
}

function* becomesOf(nodes: readonly LangflowNode[], around: WiresAround, help: ImportHelp): Turns<Became> {
  const tools = new Map<string, ImportedFlow>()
  const becomes = new Map<string, Become>()
  const absorbed = new Map<string, Absorbed>()
  const sourceOf = (node: string, input: string) => {
    const wire = around.to.get(node)?.find(({ input: given }) => given === input)
    return wire && keyOfOutput(wire.from, wire.output)
  }
  for (const node of nodes) {
    yield
    const gone = absorbedBy(node, around)
    if (gone !== undefined) {
      absorbed.set(node.id, gone)
      continue
    }
    const tool =
      node.isTool && !node.isChanged && node.unread === undefined && !isKnowledge(node)
        ? toolFor(node, help)
        : undefined
    if (tool !== undefined) tools.set(node.id, tool.flow)
    becomes.set(node.id, tool?.become ?? becomeOf(node, sourceOf, help))
  }
  for (const [id, gone] of absorbed)
    absorbed.set(id, { ...gone, into: absorbed.get(gone.into)?.into ?? gone.into })
  const crew = yield* coworkersOf(nodes, becomes, tools, help)
  for (const [id, into] of crew.lent) absorbed.set(id, into)
  return { becomes, absorbed, tools: [...tools.values(), ...crew.flows] }
}

/** What a node that is lent is wired to says nothing that is not in fields of the other one. */
function* drawnWires(
  nodes: readonly LangflowNode[],
  known: Pick<Became, 'becomes' | 'absorbed'> & {
    readonly wires: readonly LangflowWire[]
    readonly around: WiresAround
  }
): Turns<LangflowWire[]> {
  const { wires, around, becomes, absorbed } = known
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const isDrawn = (wire: LangflowWire) => {
    if (absorbed.has(wire.from) || absorbed.has(wire.to)) return false
    const to = byId.get(wire.to)
    const isPlaceholder = becomes.get(wire.to)?.parts.main?.type === 'placeholder'
    if (isPlaceholder || to === undefined) return true
    return !(to.model?.id === wire.from && isModelWire(wire)) && !(isCoworker(to) && wire.input === 'tools')
  }
  const drawn: LangflowWire[] = []
  const past = wiresPast(new Set(absorbed.keys()), around)
  for (const wire of [...wires, ...past]) {
    yield
    if (isDrawn(wire)) drawn.push(wire)
  }
  return drawn
}

function idName(become: Become | undefined, type: string): string {
  const [main] = Object.values(become?.parts ?? {})
  return `${main === undefined || main.type === 'placeholder' ? type : main.type}-1`
}

function becomeOf(
  node: LangflowNode,
  sourceOf: (node: string, input: string) => string | undefined,
  help: ImportHelp
): Become {
  const { type } = node
  if (node.isChanged || node.unread !== undefined) return unknown(node)
  const basic = own(BASIC, type)
  if (basic !== undefined) return basic(node, sourceOf)
  const mapping = own(MODELS, type) ?? own(DATA, type)
  if (mapping !== undefined && !node.isTool) return mapping(node, sourceOf) ?? unknown(node)
  if (isKnowledge(node)) return knowledge(node, sourceOf, help)
  const tool = node.isTool ? undefined : toolStep(node)
  if (tool !== undefined) return tool
  const model = modelOfProvider(node)
  if (model !== undefined) return model(node, sourceOf)
  return crewPart(node, sourceOf) ?? unknown(node)
}

function unknown(node: LangflowNode): Become {
  const { type } = node
  return placeholderFor({
    was: `${node.title} (${type}) of Langflow`,
    settings: settingsOf(node),
    nearest: nearestTo(node),
    outputs: node.outputs,
    inputs: [...node.wired],
    isTool: node.isTool || isCoworker(node)
  })
}

function nearestTo({ type, isTool, isChanged, unread }: LangflowNode): string {
  if (unread !== undefined) return TOO_DENSE
  if (isTool && type.startsWith('SQL'))
    return 'The model wrote the statement. Make a flow whose SQL node has a statement with :names for what the agent gives, and give it to the agent by a Run flow.'
  if (isTool) return 'Make a flow that does its work, and give it to the agent by a Run flow.'
  if (isChanged || /custom/i.test(type)) return 'It was Python of its own: write what it did as Code.'
  return 'Do its work with an API Request or with Code.'
}

/** Its fields without the code, which is nobody's to run. */
function settingsOf({ template, unread }: LangflowNode): Members {
  return Object.fromEntries(
    Object.entries(unread ?? template)
      .filter(([name, field]) => name !== 'code' && name !== '_type' && !isSecret(field))
      .map(([name, field]) => [name, at(field, 'value')])
      .filter(([, value]) => value !== undefined && value !== null && value !== '')
  )
}

function isSecret(field: unknown): boolean {
  return at(field, 'password') === true || at(field, '_input_type') === 'SecretStrInput'
}

function sourceNode({ id, type, title, x, y }: LangflowNode): SourceNode {
  return { key: id, type, title, x, y, isDisabled: false }
}

function isNote(node: Members): boolean {
  return node.type === 'noteNode' || typeOf(node) === 'note' || typeOf(node) === 'undefined'
}

const COLOURS: Readonly<Record<string, string>> = {
  amber: 'yellow',
  yellow: 'yellow',
  lime: 'green',
  green: 'green',
  blue: 'blue',
  indigo: 'blue',
  rose: 'red',
  red: 'red',
  neutral: 'grey',
  gray: 'grey'
}

function noteOf(node: Members): SourceNote {
  const position = membersOf(node.position)
  const colour = COLOURS[textOf(at(node, 'data', 'node', 'template', 'backgroundColor'))]
  const size = {
    width: numberOf(node.width ?? at(node, 'measured', 'width')),
    height: numberOf(node.height ?? at(node, 'measured', 'height'))
  }
  return {
    text: textOf(at(node, 'data', 'node', 'description')),
    x: numberOf(position.x) ?? 0,
    y: numberOf(position.y) ?? 0,
    ...(size.width !== undefined && { width: size.width }),
    ...(size.height !== undefined && { height: size.height }),
    ...(colour !== undefined && { colour })
  }
}

function own<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}
