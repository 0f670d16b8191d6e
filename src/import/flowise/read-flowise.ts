import type { Turns } from '../../flows/in-turns.ts'
import type { SourceWire } from '../assembled-wires.ts'
import { assemble, idsFor, type SourceNode } from '../assembly.ts'
import { type Become, withPlainFields } from '../become.ts'
import { ofProvider } from '../connection-names.ts'
import type { SourceNote } from '../draw-notes.ts'
import type { ImportedFlow, ImportHelp } from '../imported-flow.ts'
import { placeholderFor } from '../placeholder.ts'
import { TOO_DENSE } from '../too-dense.ts'
import { type Members, membersIn, textOf } from '../values.ts'
import { type Drawing, drawingOf, MAPPINGS } from './drawing.ts'
import { addEnds } from './ends.ts'
import { type FlowiseNode, type FlowiseWire, flowiseNode, flowiseWire, plainText } from './flowise-node.ts'
import { followed, tellUnread } from './followed-settings.ts'
import type { Place, Step } from './step.ts'
import { Writer } from './writer.ts'

const isNote = ({ name }: FlowiseNode) => /^stickyNote/.test(name)

/** A chatflow or an agentflow of Flowise; tools of its agents are flows of their own behind it. */
export function* readFlowise(flow: Members, help: ImportHelp): Turns<ImportedFlow[]> {
  const all = membersIn(flow.nodes).map(flowiseNode)
  const settings = all.filter((node) => !isNote(node)).map(followed)
  const nodes = settings.map(({ node }) => node)
  const ids = new Set(nodes.map(({ id }) => id))
  const wires = membersIn(flow.edges)
    .map(flowiseWire)
    .filter(({ from, to }) => ids.has(from) && ids.has(to))
  yield
  const drawing = drawingOf(nodes, wires)
  const { steps, graph, drawn } = drawing
  const becomes = new Map<string, Become>()
  const sources: SourceNode[] = []
  const made: SourceWire[] = []
  const flows: ImportedFlow[] = []
  const outputs = Map.groupBy(drawn, ({ from }) => from)
  const lent = lentIn(nodes, wires)
  const led = (id: string) => nodes.filter((node) => lent(node.id, 'supervisor').some((by) => by.id === id))
  for (const node of steps) {
    yield
    const place: Place = {
      lent: (input) => lent(node.id, input),
      lentTo: lent,
      led,
      help,
      isFirst: steps.length === 1,
      outputs: [...new Set((outputs.get(node.id) ?? []).map(({ output }) => output))]
    }
    const step = stepOf(node, new Writer(node, graph), place)
    becomes.set(node.id, withPlainFields(withQuestion(node, step.become)))
    sources.push(sourceNode(node))
    flows.push(...(step.flows ?? []))
    for (const [at, { title, become, flow: run }] of (step.tools ?? []).entries()) {
      const key = `${node.id} tool ${at + 1}`
      becomes.set(key, become)
      sources.push({
        key,
        type: '',
        title,
        x: node.x + 60,
        y: node.y + 200 + at * 110,
        isDisabled: false,
        isMade: true,
        madeFor: node.id
      })
      made.push({ from: key, output: 'tools', to: node.id, input: 'tools', isMade: true })
      if (run !== undefined) flows.push(run)
    }
  }
  addEnds(drawing, { becomes, sources, made })
  const absorbed = absorbedOf(nodes, drawing)
  for (const { node, unread } of settings) {
    yield
    tellUnread(node, unread(), { becomes, absorbed: absorbed.absorbed })
  }
  const name = textOf(flow.name).trim() || textOf(flow.label).trim() || nameOf(flow, steps)
  const description = textOf(flow.description)
  return [
    yield* assemble(
      {
        name,
        ...(description === '' ? {} : { description }),
        nodes: [...sources, ...absorbed.nodes],
        becomes,
        absorbed: absorbed.absorbed,
        wires: [...drawn.map((wire) => sourceWire(wire, drawing.parents)), ...made],
        meant: wires.length - drawn.length,
        notes: all.filter(isNote).map(noteOf),
        ids: yield* idsFor(sources.map(({ key, title }) => [key, title])),
        regions: drawing.parents
      },
      help
    ),
    ...flows
  ]
}

/** What wires lend to an input. */
function lentIn(nodes: readonly FlowiseNode[], wires: readonly FlowiseWire[]) {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const coming = Map.groupBy(wires, ({ to }) => to)
  return (id: string, input: string): readonly FlowiseNode[] => {
    if (input === '') return [byId.get(id)].filter((node) => node !== undefined)
    return (coming.get(id) ?? [])
      .filter((wire) => wire.input === input)
      .flatMap(({ from }) => byId.get(from) ?? [])
  }
}

function stepOf(node: FlowiseNode, write: Writer, place: Place): Step {
  const mapping =
    node.unread === undefined && Object.hasOwn(MAPPINGS, node.name) ? MAPPINGS[node.name] : undefined
  return mapping?.(node, write, place) ?? { become: unknown(node, place) }
}

function unknown(node: FlowiseNode, { outputs }: Place): Become {
  const names = outputs.map((output) => `Out ${Number(output) + 1}`)
  const become = placeholderFor({
    was: `${node.title} (${node.name}) of Flowise`,
    settings: settingsOf(node),
    nearest: nearestTo(node),
    outputs: names.length === 0 ? ['Out 1'] : names,
    inputs: ['0']
  })
  return {
    ...become,
    takes: () => 'main.in_1',
    gives: (output) => become.gives(`Out ${(Number(output) || 0) + 1}`)
  }
}

function settingsOf({ inputs, unread }: FlowiseNode): Members {
  return Object.fromEntries(
    Object.entries(unread ?? inputs).filter(
      ([name, value]) => value !== '' && value !== null && !/credential|password|secret|apiKey/i.test(name)
    )
  )
}

function nearestTo({ name, inputs, unread }: FlowiseNode): string {
  if (unread !== undefined) return TOO_DENSE
  if (/^loopAgentflow$|^seqLoop$/.test(name)) {
    const to = textOf(inputs.loopBackToNode) || textOf(inputs.loopToName)
    return `A flow has no circles. Put what is repeated, from "${to.slice(to.indexOf('-') + 1)}" to here, into a Repeat.`
  }
  if (/execute(?:Flow)?/i.test(name)) return 'Import the flow that it runs, and run it by a Run flow.'
  return 'Do its work with an API Request or with Code.'
}

/** What starts a flow is read by others as the question, or as the form. */
function withQuestion({ name }: FlowiseNode, become: Become): Become {
  if (name !== 'startAgentflow' && name !== 'seqStart') return become
  const isForm = become.parts.main?.type === 'form'
  return { ...become, gives: () => (isForm ? 'main.data' : 'main.message') }
}

function sourceNode({ id, name, title, x, y }: FlowiseNode): SourceNode {
  return { key: id, type: name, title, x, y, isDisabled: false }
}

/** Wires to an iteration come to it from outside; those of its inside are made. */
function sourceWire({ from, output, to }: FlowiseWire, parents: ReadonlyMap<string, string>): SourceWire {
  const isOut = parents.get(from) === to
  return { from, output, to, input: isOut ? 'back' : '' }
}

function absorbedOf(nodes: readonly FlowiseNode[], { into, steps }: Drawing) {
  const own = new Set(steps.map(({ id }) => id))
  const absorbed = new Map<string, { into: string; note: string; verdict: 'exact' | 'adapted' }>()
  for (const { id, name, category } of nodes)
    if (!own.has(id)) absorbed.set(id, { into: into.get(id) ?? '', ...lentAs(name, category, into.has(id)) })
  return { nodes: nodes.filter(({ id }) => !own.has(id)).map(sourceNode), absorbed }
}

function lentAs(
  name: string,
  category: string,
  isUsed: boolean
): { note: string; verdict: 'exact' | 'adapted' } {
  if (!isUsed) return { note: 'Nothing used it: it is left out.', verdict: 'adapted' }
  if (/chat model|llm/i.test(category)) {
    const own = ofProvider(name)
    const note = `Its provider and model are fields of the nodes that ask it. ${own}`.trim()
    return { note, verdict: own === '' ? 'exact' : 'adapted' }
  }
  if (/memory/i.test(category))
    return { note: 'It is the field History, over the turns of the session.', verdict: 'adapted' }
  if (/prompt/i.test(category))
    return { note: 'It is the prompt of the node that it was lent to.', verdict: 'exact' }
  if (/embedding/i.test(category))
    return { note: 'Which model makes vectors is said by the collection.', verdict: 'adapted' }
  if (/document loader|splitter|vector|retriever|record/i.test(category))
    return {
      note: 'Its texts are to be written into the collection, by a Write knowledge.',
      verdict: 'adapted'
    }
  if (/tool|multi agent/i.test(category) || name === 'worker')
    return { note: 'It is a tool of the agent, beside it.', verdict: 'adapted' }
  return { note: 'It is a part of the node that it was lent to.', verdict: 'adapted' }
}

function noteOf({ inputs, x, y, width, height }: FlowiseNode): SourceNote {
  return {
    text: plainText(inputs.note) || 'Note',
    x,
    y,
    width: width ?? 220,
    height: height ?? 140,
    colour: 'yellow'
  }
}

function nameOf(flow: Members, steps: readonly FlowiseNode[]): string {
  const [usecase] = Array.isArray(flow.usecases) ? flow.usecases : []
  return textOf(usecase) || steps.find(({ name }) => !/^start|^seqStart/.test(name))?.title || 'Flowise flow'
}
