import type { Ports } from '../component/ports.ts'
import type { JsonValue } from '../json/exact-json.ts'

/** What an agent is told of a tool, and tells its model. */
export interface OfferedTool {
  /** Letters, digits, hyphens and underscores, at most 64. Of two tools with one name an agent calls the second `…_2`. */
  readonly name: string
  /** What it does and when to use it: all that a model knows of it. */
  readonly description: string
  /** JSON Schema of its arguments: an object. */
  readonly parameters: Readonly<Record<string, JsonValue>>
  /** A person is asked before it acts, with the very arguments. */
  readonly ask_first?: boolean
  /** Its name was given by somebody else than the author of the flow: it takes none of the author's own. */
  readonly by_others?: boolean
}

/** The same on a wire of the type `tools`: what is called is a step of this node. */
export interface WiredTool extends OfferedTool {
  readonly node: string
}

/** What an agent asks of a tool. The arguments fit its schema. */
export interface ToolCall {
  readonly name: string
  readonly arguments: Readonly<Record<string, JsonValue>>
}

/** The output by which a component offers tools. */
export const TOOLS_OUTPUT = 'tools'

/** What a node in tool mode has instead of its own outputs. */
export const TOOL_OUTPUTS: Ports = {
  [TOOLS_OUTPUT]: {
    title: 'Tools',
    type: 'tools',
    help: 'The node as a tool for an agent, which alone runs it.'
  }
}

/** What all providers of models take as a name. */
export const TOOL_NAME = '^[A-Za-z0-9_-]{1,64}$'
export const LONGEST_TOOL_NAME = 64

/** A text as a name of a tool. */
export function toolName(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9_-]+/g, '_')
    .replace(/^_+|_+$/g, '')
  return plain.slice(0, LONGEST_TOOL_NAME) || 'tool'
}
