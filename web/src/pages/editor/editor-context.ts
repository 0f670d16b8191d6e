import { createContext, useContext, useSyncExternalStore } from 'react'
import type { ComponentFacts } from '../../api/components.ts'
import type { ProblemFault } from '../../api/problem.ts'
import type { Run, Step } from '../../api/shapes.ts'
import type { Command } from '../../editor/commands/command.ts'
import type { Flow } from '../../editor/graph/flow.ts'

/**
 * The open flow, for every part of the editor. The object stays the same for as long as the flow is open, so having
 * it draws nothing again; what changes is read with the hooks below.
 */
export interface Editor {
  readonly flowId: string
  state(): EditorState
  watch(watcher: () => void): () => void

  component(type: string): ComponentFacts | undefined
  /** Every change goes through here: it can be undone, and it is saved. Commands of one gesture are one step. */
  perform(command: Command, gesture?: string): void
  /** Wires follow where the inputs of a node come from the field. Typing is one step until it pauses. */
  setField(node: string, field: string, value: unknown): void
  /** Back to the component's default. */
  resetField(node: string, field: string): void
  /** Opens something beside the canvas, in the place of what is open there. */
  showPanel(panel: SidePanel): void
  closePanel(): void
  /** Shows this run on the canvas from now on; undefined goes back to the newest one. */
  showRun(run: string | undefined): void
  /** Brings a node into view, selects it and focuses it. */
  goTo(node: string): void
}

export interface EditorState {
  /** As it is drawn now, saved or not. */
  readonly flow: Flow
  /** An earlier version is looked at, or the key may not write. */
  readonly isReadOnly: boolean
  /** What the service found wrong with the flow as it was last sent. */
  readonly faults: readonly ProblemFault[]
  /** The run whose states are on the canvas: the newest one, or the one that was chosen. */
  readonly run: ShownRun | undefined
  readonly panel: SidePanel | undefined
}

/** While a run goes on, steps come one by one; its input comes when it is read. */
export interface ShownRun {
  readonly id: string
  readonly status: Run['status']
  readonly flowVersion: number
  readonly createdAt: string
  readonly error: Run['error']
  readonly steps: ReadonlyMap<string, NodeRun>
}

/** What a run did at one node. */
export type NodeRun = Pick<Step, 'node' | 'status' | 'attempts' | 'duration_ms' | 'outputs' | 'error'>

export interface SidePanel {
  /** One panel is open at a time; a button can tell by the id whether it is its own. */
  readonly id: string
  readonly title: string
  readonly content: React.ReactNode
  /** In pixels; 360 where it is left out. */
  readonly width?: number
}

export const EditorContext = createContext<Editor | undefined>(undefined)

export function useEditor(): Editor {
  const editor = useContext(EditorContext)
  if (editor === undefined) throw new Error('useEditor is used outside of <EditorContext>')
  return editor
}

/** Part of the state. `select` has to give the same object while nothing changed: choose, do not make. */
export function useEditorState<T>(select: (state: EditorState) => T): T {
  const editor = useEditor()
  return useSyncExternalStore(editor.watch, () => select(editor.state()))
}

/** Part of the flow as it is drawn: `useDrawnFlow((flow) => flow.slug)`. */
export function useDrawnFlow<T>(select: (flow: Flow) => T): T {
  return useEditorState(({ flow }) => select(flow))
}

/** What the shown run did at a node; undefined where it did not get to. */
export function useNodeRun(node: string): NodeRun | undefined {
  return useEditorState(({ run }) => run?.steps.get(node))
}
