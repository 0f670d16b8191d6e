import type { Turns } from '../flows/in-turns.ts'

type Drawn = Readonly<Record<string, unknown>>

interface Edge {
  readonly from: string
  readonly to: string
}

/** Ports of text and data; all others take and give anything. */
const GIVES: Readonly<Record<string, 'text' | 'data'>> = {
  'webhook.data': 'data',
  'webhook.request': 'data',
  'form.data': 'data',
  'form.request': 'data',
  'parser.parsed_text': 'text',
  'prompt.prompt': 'text',
  'chat-input.message': 'text',
  'chat-output.message': 'text',
  'language-model.text': 'text',
  'agent.text': 'text',
  'extract-text.text': 'text',
  'mcp-call.text': 'text',
  'knowledge-search.text': 'text',
  'sql.rows': 'data'
}
const TAKES: Readonly<Record<string, 'text' | 'data'>> = {
  'parser.data': 'data',
  'chat-input.text': 'text',
  'chat-output.text': 'text',
  'language-model.text': 'text',
  'agent.text': 'text',
  'split-text.text': 'text'
}

interface Fitted {
  readonly nodes: readonly Drawn[]
  readonly edges: readonly Edge[]
}

/** Where a wire leads from text to data, or the other way, something that turns one into the other stands between. */
export function* fitWires(nodes: readonly Drawn[], edges: readonly Edge[]): Turns<Fitted> {
  const byId = new Map(nodes.map((node) => [node.id as string, node]))
  const added = new Map<string, Drawn>()
  const fitted: Edge[] = []
  for (const edge of edges) {
    yield
    const [source, target] = [byId.get(idOf(edge.from)), byId.get(idOf(edge.to))]
    const from = GIVES[`${source?.type}.${portOf(edge.from)}`]
    const to = TAKES[`${target?.type}.${portOf(edge.to)}`]
    if (from === undefined || to === undefined || from === to || source === undefined) {
      fitted.push(edge)
      continue
    }
    const id = `${idOf(edge.from)}-as-${to}`
    const between = to === 'text' ? AS_TEXT : AS_DATA
    if (!added.has(id)) {
      added.set(id, besides(source, id, between))
      fitted.push({ from: edge.from, to: `${id}.${between.takes}` })
    }
    fitted.push({ from: `${id}.${between.gives}`, to: edge.to })
  }
  return { nodes: [...nodes, ...added.values()], edges: fitted }
}

const AS_TEXT = {
  type: 'parser',
  title: 'As text',
  fields: { mode: 'Stringify' },
  takes: 'data',
  gives: 'parsed_text'
}
const AS_DATA = {
  type: 'transform',
  title: 'As data',
  fields: { expression: '{ "text": $ }' },
  takes: 'data',
  gives: 'data'
}

function besides(source: Drawn, id: string, { type, title, fields }: typeof AS_TEXT | typeof AS_DATA): Drawn {
  const { x, y } = source.position as { x: number; y: number }
  const { parent } = source
  return {
    id,
    type,
    title,
    position: { x: x + 60, y: y + 60 },
    fields,
    ...(parent !== undefined && { parent })
  }
}

function idOf(end: string): string {
  return end.slice(0, end.indexOf('.'))
}

function portOf(end: string): string {
  return end.slice(end.indexOf('.') + 1)
}
