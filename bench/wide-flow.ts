const COLUMNS = 40
const COLUMN_PX = 360
const ROW_PX = 420

interface Node {
  readonly id: string
  readonly type: string
  readonly position: { readonly x: number; readonly y: number }
  readonly fields: Readonly<Record<string, unknown>>
}

interface Edge {
  readonly from: string
  readonly to: string
}

/**
 * A flow of many nodes: one Webhook, and from it rows of a Parser and then Prompts and Chat Outputs in turn, each node
 * wired to the one before it.
 */
export function wideFlow(size: number) {
  const nodes: Node[] = [{ id: 'webhook', type: 'webhook', position: { x: 0, y: 0 }, fields: {} }]
  const edges: Edge[] = []
  let before = ''
  for (let index = 0; nodes.length < size; index++) {
    const [row, column] = [Math.floor(index / COLUMNS), index % COLUMNS]
    const position = { x: (column + 1) * COLUMN_PX, y: row * ROW_PX }
    const { output, input, ...made } =
      column === 0 ? parser(index) : column % 2 === 1 ? prompt(index) : chat(index)
    nodes.push({ ...made, position })
    edges.push({ from: column === 0 ? 'webhook.data' : before, to: `${made.id}.${input}` })
    before = `${made.id}.${output}`
  }
  return { name: 'Wide', nodes, edges }
}

function parser(index: number) {
  const fields = { mode: 'Parser', template: `Order {order_id} from {customer}, row ${index}` }
  return { id: `parser-${index}`, type: 'parser', fields, input: 'data', output: 'parsed_text' }
}

function prompt(index: number) {
  const fields = { template: `Node ${index} heard: {text}` }
  return { id: `prompt-${index}`, type: 'prompt', fields, input: 'text', output: 'prompt' }
}

function chat(index: number) {
  return { id: `chat-${index}`, type: 'chat-output', fields: {}, input: 'text', output: 'message' }
}
