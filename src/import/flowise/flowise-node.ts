import { isTooDeep } from '../../flows/json/exact-json.ts'
import { isTooDense } from '../too-dense.ts'
import { at, listOf, type Members, membersIn, membersOf, numberOf, textOf } from '../values.ts'

/** One node of Flowise. */
export interface FlowiseNode {
  readonly id: string
  /** Such as `llmAgentflow` or `chatOpenAI`. */
  readonly name: string
  readonly title: string
  readonly category: string
  readonly inputs: Members
  /** Its settings, where more stands in them than is read. */
  readonly unread: Members | undefined
  /** Which of its outputs was chosen: `retriever`, `outputPrediction` … */
  readonly output: string
  /** The iteration that it stands in. */
  readonly parent: string
  readonly x: number
  readonly y: number
  readonly width: number | undefined
  readonly height: number | undefined
}

export interface FlowiseWire {
  readonly from: string
  /** Its number, where a node has several; its name, of conditions in agentflows of version 1. */
  readonly output: string
  readonly to: string
  /** The input that it leads to: `model`, `tools`; nothing in agentflows of version 2. */
  readonly input: string
}

export function flowiseNode(node: Members): FlowiseNode {
  const data = membersOf(node.data)
  const position = membersOf(node.position)
  const settings = membersOf(data.inputs)
  const isUnread = isTooDense(settings, (setting) => /Func(?:tion)?$|code/i.test(setting))
  return {
    id: textOf(node.id) || textOf(data.id),
    name: textOf(data.name) || textOf(data.type) || 'node',
    title: textOf(data.label).trim() || textOf(data.name) || 'Node',
    category: textOf(data.category),
    inputs: isUnread ? {} : settings,
    unread: isUnread ? settings : undefined,
    output: textOf(at(data, 'outputs', 'output')),
    parent: textOf(node.parentNode) || textOf(node.parentId),
    x: numberOf(position.x) ?? 0,
    y: numberOf(position.y) ?? 0,
    width: numberOf(node.width),
    height: numberOf(node.height)
  }
}

export function flowiseWire(edge: Members): FlowiseWire {
  const source = textOf(edge.sourceHandle)
  const target = textOf(edge.targetHandle)
  return {
    from: textOf(edge.source),
    output: /-output-(\d+)$/.exec(source)?.[1] ?? /-output-([^-]+)-Condition/.exec(source)?.[1] ?? '0',
    to: textOf(edge.target),
    input: /-input-([^-]+)/.exec(target)?.[1] ?? ''
  }
}

/** A setting as it is kept: a list, or the JSON of one. */
export function rowsOf(value: unknown): Members[] {
  if (Array.isArray(value)) return membersIn(value)
  try {
    return typeof value === 'string' ? membersIn(JSON.parse(value)) : []
  } catch {
    return []
  }
}

/** Whether a file holds a chatflow or an agentflow. */
export function isFlowise(flow: Members): boolean {
  const [node] = membersIn(flow.nodes)
  const data = membersOf(node?.data)
  const isDrawn = 'inputParams' in data || 'inputAnchors' in data || 'outputAnchors' in data
  return Array.isArray(flow.nodes) && !('connections' in flow) && textOf(data.name) !== '' && isDrawn
}

/** As deep as files are read. */
const DEEPEST = 200
const KINDS = ['AgentFlow', 'AgentFlowV2', 'ChatFlow', 'AssistantFlow'] as const

/** Flows as the database keeps them, one or all that were exported: the drawing is JSON in a text. */
export function flowsKept(file: Members): Members[] {
  const rows = [
    ...(typeof file.flowData === 'string' ? [file] : []),
    ...KINDS.flatMap((kind) => membersIn(file[kind]))
  ]
  return rows.flatMap((row) => {
    try {
      const text = textOf(row.flowData)
      if (isTooDeep(text, DEEPEST)) return []
      const drawn: unknown = JSON.parse(text)
      return [{ ...membersOf(drawn), name: row.name }]
    } catch {
      return []
    }
  })
}

/** Texts are kept as HTML that an editor wrote: paragraphs, and what is mentioned in spans. */
export function plainText(value: unknown): string {
  const text = textOf(value)
  if (!/<(?:p|span|h\d|ul|ol|li|strong|em|code|pre|br)\b/i.test(text)) return text
  return text
    .replace(/<br\s*\/?>/gi, '\n')
    .replace(/<li\b[^<>]*>/gi, '- ')
    .replace(/<\/(?:p|h\d|li|pre)>/gi, '\n')
    .replace(/<\/?(?:p|span|h\d|ul|ol|li|strong|b|em|i|u|s|code|pre|blockquote|a|div)\b[^<>]*>/gi, '')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .trim()
}

export function idsIn(value: unknown): string[] {
  return listOf(Array.isArray(value) ? value : [value]).flatMap(
    (each) => /^\{\{\s*([\w-]+)\.data\.instance\s*\}\}$/.exec(textOf(each))?.[1] ?? []
  )
}

/** What a node puts into the state. */
export function stateOf({ inputs }: FlowiseNode): { key: string; value: string }[] {
  const field = Object.keys(inputs).find((name) => /UpdateState$/.test(name))
  return rowsOf(field === undefined ? undefined : inputs[field]).map((row) => ({
    key: textOf(row.key),
    value: textOf(row.value)
  }))
}

/** The key of a Chat Input that was none there. No id has spaces. */
export const START = 'what was said'
