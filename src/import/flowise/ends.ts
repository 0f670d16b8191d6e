import type { SourceWire } from '../assembled-wires.ts'
import type { SourceNode } from '../assembly.ts'
import { type Become, single } from '../become.ts'
import { placeholderFor } from '../placeholder.ts'
import { AGAIN, type Drawing } from './drawing.ts'
import { type FlowiseNode, START } from './flowise-node.ts'

interface Drawn {
  readonly becomes: Map<string, Become>
  readonly sources: SourceNode[]
  readonly made: SourceWire[]
}

/** What the last of them gives is the answer. */
const ANSWERS =
  /^(?!startAgentflow$|directReplyAgentflow$|loopAgentflow$|seqStart$|seqEnd$|seqLoop$|conditionA|humanInput|seqCondition)/

/** A chat begins and ends with what is said, and so does an iteration with its item. */
export function addEnds(drawing: Drawing, drawn: Drawn): void {
  const coming = new Set(drawing.drawn.map(({ to }) => to))
  const leaving = new Set(drawing.drawn.map(({ from }) => from))
  const outer = drawing.steps.filter(({ id }) => !drawing.parents.has(id))
  const [first] = drawing.steps
  if (drawing.graph.start.node === undefined && first !== undefined) {
    const chat = single({ type: 'chat-input', fields: {} }, { takes: 'text', gives: 'message' })
    add(drawn, { key: START, title: 'Chat Input', x: first.x - 400, y: first.y }, chat)
    for (const { id } of outer)
      if (!coming.has(id)) drawn.made.push({ from: START, output: '0', to: id, input: '', isMade: true })
  }
  for (const node of outer) if (!leaving.has(node.id) && ANSWERS.test(node.name)) addAnswer(node, drawn)
  for (const [id, parent] of drawing.parents) {
    if (!coming.has(id)) drawn.made.push({ from: parent, output: 'item', to: id, input: '', isMade: true })
    if (!leaving.has(id)) drawn.made.push({ from: id, output: '0', to: parent, input: 'back', isMade: true })
  }
  addCircles(drawing, drawn)
}

interface Place {
  readonly key: string
  readonly title: string
  readonly x: number
  readonly y: number
  readonly madeFor?: string
}

function add({ becomes, sources }: Drawn, place: Place, become: Become): void {
  becomes.set(place.key, become)
  sources.push({ ...place, type: '', isDisabled: false, isMade: true })
}

function addAnswer({ id, x, y }: FlowiseNode, drawn: Drawn): void {
  const key = `${id} said`
  const chat = single({ type: 'chat-output', fields: {} }, { takes: 'text', gives: 'message' })
  add(drawn, { key, title: 'Chat Output', x: x + 400, y }, chat)
  drawn.made.push({ from: id, output: '0', to: key, input: '', isMade: true })
}

function addCircles({ steps, drawn: wires }: Drawing, drawn: Drawn): void {
  const byId = new Map(steps.map((node) => [node.id, node]))
  for (const { from, to } of wires) {
    if (!to.endsWith(AGAIN) || drawn.becomes.has(to)) continue
    const node = byId.get(from)!
    const title = `Back to ${byId.get(to.slice(0, -AGAIN.length))?.title ?? ''}`
    add(drawn, { key: to, title, x: node.x + 200, y: node.y + 200, madeFor: from }, circle(title))
  }
}

function circle(title: string): Become {
  return placeholderFor({
    was: `The way ${title.toLowerCase()} of Flowise`,
    settings: null,
    nearest: 'A flow has no circles: put what is repeated into a Repeat.',
    outputs: [],
    inputs: ['']
  })
}
