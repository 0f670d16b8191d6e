import type { Edge, Flow, Node, Note, Point } from '../graph/flow.ts'

/** Nodes with the edges among them and the notes beside them: what is pasted, duplicated or added. */
export interface Fragment {
  readonly nodes: readonly Node[]
  /** They may also lead to and from nodes that are there already. */
  readonly edges: readonly Edge[]
  readonly notes: readonly Note[]
}

/** Null takes a member away that may be absent. */
type Changes<T> = {
  readonly [K in keyof T]?: Record<never, never> extends Pick<T, K> ? Exclude<T[K], undefined> | null : T[K]
}

export type NodeChanges = Changes<
  Pick<Node, 'title' | 'retry' | 'timeout_ms' | 'disabled' | 'on_error' | 'size' | 'collapsed'>
>
export type NoteChanges = Changes<Pick<Note, 'text' | 'size' | 'colour' | 'nodes'>>
export type FlowChanges = Changes<Pick<Flow, 'name' | 'description' | 'slug' | 'context'>>

/**
 * Everything that can be done to a flow, as data. A command about something that is gone does nothing: another
 * editor may have removed it while the hand was still moving.
 */
export type Command =
  /** Ids that are taken are replaced by free ones, edges included. */
  | { readonly kind: 'insert'; readonly fragment: Fragment; readonly by?: 'add' | 'paste' | 'duplicate' }
  /** Nodes and notes by id, with the edges of the nodes, and with all that stands in them. */
  | { readonly kind: 'remove'; readonly ids: readonly string[]; readonly edges?: readonly Edge[] }
  /** A group or a region takes its nodes along. */
  | {
      readonly kind: 'move'
      readonly positions: Readonly<Record<string, Point>>
      readonly by?: 'hand' | 'tidy'
    }
  /** Nodes that are to stand in a region, or in none. Wires that cannot stay then go (`wiresCut`). */
  | { readonly kind: 'set-region'; readonly nodes: readonly string[]; readonly region: string | null }
  /** Behind all others: of those into one input, the first that carries something counts. */
  | { readonly kind: 'connect'; readonly edge: Edge }
  | { readonly kind: 'disconnect'; readonly edge: Edge }
  | { readonly kind: 'reconnect'; readonly edge: Edge; readonly as: Edge }
  /** Puts a node into an edge: from → node.input, node.output → to. */
  | {
      readonly kind: 'splice'
      readonly node: string
      readonly edge: Edge
      readonly input: string
      readonly output: string
    }
  /** After the inputs of a node have changed: edges follow renamed inputs, and those to inputs that are gone go. */
  | {
      readonly kind: 'rewire'
      readonly node: string
      readonly renamed: Readonly<Record<string, string>>
      readonly gone: readonly string[]
    }
  | {
      readonly kind: 'set-field'
      readonly node: string
      readonly field: string
      readonly value: unknown
      /** Outputs that get another name by it, by their old ones: their edges follow. */
      readonly renamed?: Readonly<Record<string, string>> | undefined
    }
  /** Back to the component's default: the document says nothing of the field any more. */
  | { readonly kind: 'reset-field'; readonly node: string; readonly field: string }
  | { readonly kind: 'change-node'; readonly node: string; readonly changes: NodeChanges }
  | { readonly kind: 'change-note'; readonly note: string; readonly changes: NoteChanges }
  | { readonly kind: 'change-flow'; readonly changes: FlowChanges }
  /** An earlier version, or an import, in the place of what is there. */
  | { readonly kind: 'replace'; readonly document: Flow; readonly label: string }
  | { readonly kind: 'all'; readonly commands: readonly Command[]; readonly label: string }

/** What stands beside Undo and Redo. */
export function describeCommand(command: Command): string {
  switch (command.kind) {
    case 'insert':
      return `${INSERTED[command.by ?? 'add']} ${countOf(sizeOfFragment(command.fragment), fragmentNoun(command.fragment))}`
    case 'remove':
      return command.ids.length === 0
        ? 'Remove wire'
        : `Remove ${countOf(command.ids.length, 'node', 'nodes and notes')}`
    case 'move':
      return command.by === 'tidy'
        ? 'Tidy'
        : `Move ${countOf(Object.keys(command.positions).length, 'node', 'nodes')}`
    case 'set-region':
      return command.region === null ? 'Move out' : 'Move into For each'
    case 'connect':
      return 'Connect'
    case 'disconnect':
      return 'Remove wire'
    case 'reconnect':
      return 'Move wire'
    case 'splice':
      return 'Put into wire'
    case 'rewire':
      return 'Rewire inputs'
    case 'set-field':
      return `Edit ${command.field}`
    case 'reset-field':
      return `Reset ${command.field}`
    case 'change-node':
      return describeNodeChange(command.changes)
    case 'change-note':
      return 'Edit note'
    case 'change-flow':
      return `Change ${Object.keys(command.changes).join(', ')}`
    case 'replace':
    case 'all':
      return command.label
  }
}

const INSERTED = { add: 'Add', paste: 'Paste', duplicate: 'Duplicate' } as const

function sizeOfFragment({ nodes, notes }: Fragment): number {
  return nodes.length + notes.length
}

function fragmentNoun({ nodes }: Fragment): string {
  return nodes.length === 0 ? 'note' : 'node'
}

function countOf(count: number, one: string, many = `${one}s`): string {
  return count === 1 ? one : `${count} ${many}`
}

function describeNodeChange(changes: NodeChanges): string {
  if ('title' in changes) return 'Rename'
  if ('disabled' in changes) return changes.disabled === true ? 'Disable' : 'Enable'
  if ('on_error' in changes) return 'Continue on errors'
  if ('size' in changes) return 'Resize'
  if ('collapsed' in changes) return changes.collapsed === true ? 'Collapse' : 'Expand'
  return 'Change retries and timeout'
}
