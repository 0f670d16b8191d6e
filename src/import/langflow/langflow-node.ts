import { isTooDense } from '../too-dense.ts'
import { at, isMembers, listOf, type Members, membersIn, membersOf, numberOf, textOf } from '../values.ts'
import { isStockCode } from './stock-code.ts'

/** One component of a flow of Langflow, whatever version wrote it. */
export interface LangflowNode {
  readonly id: string
  readonly type: string
  readonly title: string
  readonly x: number
  readonly y: number
  readonly template: Members
  readonly coming: readonly LangflowWire[]
  readonly leaving: readonly LangflowWire[]
  /** The inputs that wires lead to, by field. */
  readonly wired: ReadonlySet<string>
  /** What these wires carry, by Langflow's names of types. */
  readonly carried: ReadonlyMap<string, readonly string[]>
  /** Whether an agent uses it. */
  readonly isTool: boolean
  readonly outputs: readonly string[]
  /** Its Python is not what Langflow gives a component of its type. */
  readonly isChanged: boolean
  /** Its fields, where more stands in them than is read. */
  readonly unread: Members | undefined
  /** The model that a wire brings it, as a node of its own. */
  readonly model?: LangflowNode | undefined
  /** The agent of a crew that does its work. */
  readonly agent?: LangflowNode
}

export interface LangflowWire {
  readonly from: string
  readonly output: string
  readonly to: string
  readonly input: string
  readonly types: readonly string[]
  /** It was no wire there. */
  readonly isMade?: boolean
}

export function typeOf(node: Members): string {
  const type = textOf(at(node, 'data', 'type'))
  return type === '' ? textOf(node.type) : type
}

/** Handles are JSON with another sign for quotes; newer files have them as objects too. */
function handleOf(edge: Members, side: 'sourceHandle' | 'targetHandle'): Members {
  const plain = at(edge, 'data', side)
  if (isMembers(plain)) return plain
  const written = textOf(edge[side] ?? plain)
  try {
    return membersOf(JSON.parse(written.replaceAll('œ', '"')))
  } catch {
    return olderHandle(written)
  }
}

/** Before 0.6: `Type|field|id`. */
function olderHandle(written: string): Members {
  const parts = written.split('|')
  return parts.length < 2 ? {} : { name: parts[1], fieldName: parts[1] }
}

export function readWire(edge: Members): LangflowWire {
  const source = handleOf(edge, 'sourceHandle')
  const target = handleOf(edge, 'targetHandle')
  return {
    from: textOf(edge.source) || textOf(source.id),
    output: textOf(source.name),
    to: textOf(edge.target) || textOf(target.id),
    // A way back into a loop has the shape of an output.
    input: textOf(target.fieldName) || `loop:${textOf(target.name)}`,
    types: listOf(source.output_types).map(textOf)
  }
}

export interface WiresAround {
  readonly from: ReadonlyMap<string, readonly LangflowWire[]>
  readonly to: ReadonlyMap<string, readonly LangflowWire[]>
}

export function wiresAround(wires: readonly LangflowWire[]): WiresAround {
  return { from: Map.groupBy(wires, ({ from }) => from), to: Map.groupBy(wires, ({ to }) => to) }
}

const TOOL_OUTPUTS: ReadonlySet<string> = new Set(['component_as_tool', 'api_build_tool', 'tool'])

export function readNode(node: Members, around: WiresAround): LangflowNode {
  const data = membersOf(node.data)
  const inner = membersOf(data.node)
  const id = textOf(node.id) || textOf(data.id)
  const position = membersOf(node.position)
  const leaving = around.from.get(id) ?? []
  const coming = around.to.get(id) ?? []
  const fields = membersOf(inner.template)
  const isUnread = isTooDense(fields, (name) => name === 'code')
  return {
    id,
    type: typeOf(node),
    title: textOf(data.display_name) || textOf(inner.display_name) || typeOf(node),
    x: numberOf(position.x) ?? 0,
    y: numberOf(position.y) ?? 0,
    template: isUnread ? {} : fields,
    coming,
    leaving,
    wired: new Set(coming.map(({ input }) => input)),
    carried: new Map(coming.map(({ input, types }) => [input, types])),
    isTool: leaving.some(({ output }) => TOOL_OUTPUTS.has(output)),
    outputs: [...new Set(leaving.map(({ output }) => output))],
    isChanged: isChanged(inner),
    unread: isUnread ? fields : undefined
  }
}

/**
 * Code that somebody saved there is of a module for such. `edited` alone says so where no module is named: newer versions also set it
 * where an update was refused, and the projects that the first ones brought along have it on code of their own.
 */
function isChanged(node: Members): boolean {
  const module = textOf(at(node, 'metadata', 'module'))
  if (module !== '') return module.startsWith('custom_components.')
  return node.edited === true && !isStockCode(textOf(at(node, 'template', 'code', 'value')))
}

/** The value of a field. */
export function valueIn({ template }: LangflowNode, ...names: readonly string[]): unknown {
  for (const name of names) {
    const value = at(template, name, 'value')
    if (value !== undefined && value !== null && value !== '') return value
  }
  return undefined
}

/** Where it names a variable, that variable, as a template reads it. */
export function textIn(node: LangflowNode, ...names: readonly string[]): string {
  return textOf(valueIn(node, ...names))
}

export function isVariable({ template }: LangflowNode, name: string): boolean {
  return at(template, name, 'load_from_db') === true
}

/** A table of names and values, as API Request has for headers: rows of `key` and `value`, or an object. */
export function tableOf(node: LangflowNode, name: string): Record<string, string> {
  const value = valueIn(node, name)
  if (isMembers(value))
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, textOf(inner)]))
  return Object.fromEntries(
    membersIn(listOf(value))
      .filter(({ key }) => textOf(key) !== '')
      .map(({ key, value: inner }) => [textOf(key), textOf(inner)])
  )
}
