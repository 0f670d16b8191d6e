import { createContext, useContext, useSyncExternalStore } from 'react'
import type { Fault } from '../../../../src/errors.ts'
import type { End } from '../../../../src/flows/graph/graph.ts'
import type { JsonValue } from '../../../../src/flows/json/exact-json.ts'
import type { Pin } from '../../api/pins.ts'
import type { Run, Step } from '../../api/shapes.ts'
import type { Command } from '../../editor/commands/command.ts'
import type { EditedSince } from '../../editor/compare/edited-since.ts'
import type { Flow } from '../../editor/graph/flow.ts'
import type { SaveState } from '../../editor/save/save-state.ts'
import { type FlowFaults, fieldKey } from '../../editor/wiring/flow-faults.ts'
import type { ComponentFacts, PageCatalogue } from '../../editor/wiring/page-catalogue.ts'

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
  execute(command: Command, gesture?: string): void
  undo(): void
  redo(): void
  /** Typing is one step until it pauses. Where inputs come from the field, `useWiresThatFollow` rewires them. */
  setField(node: string, field: string, value: unknown): void
  /** Back to the component's default. */
  resetField(node: string, field: string): void
  select(selection: Partial<Selection>): void
  /** Opens something beside the canvas, in the place of what is open there. */
  showPanel(panel: SidePanel): void
  closePanel(place?: 'beside' | 'below'): void
  /** Shows this run on the canvas from now on; undefined goes back to the newest one. */
  showRun(run: string | undefined): void
  /** Marks the nodes inside a For each by this item of the shown run. */
  showItem(region: string, index: number): void
  /** Puts an earlier version in the place of the canvas; undefined puts the canvas back. */
  viewVersion(viewed: ViewedVersion | undefined): void
  /** Opens, widens or closes the inspector of what is selected. */
  inspect(size: InspectorSize): void
  /** Somebody types in a field of this node, or has left it. */
  write(node: string | undefined): void
  /** One step back: from across the page to what was before, from beside the canvas to nothing. */
  narrow(): void
  /** Lets the title of a node be typed on it. */
  rename(node: string | undefined): void
  /** Brings a node or a note into view, selects it and focuses it. */
  goTo(part: string): void
}

export interface EditorState {
  /** As it is drawn now, saved or not. */
  readonly flow: Flow
  /** What webhooks, schedules and other flows run, whatever is drawn. */
  readonly live: LiveVersion
  /** An earlier version is looked at, or the key may not write. */
  readonly isReadOnly: boolean
  readonly catalogue: PageCatalogue
  /** The nodes that no run takes, as no trigger leads to them; and those in a region that have nothing to do with its items. */
  readonly unwired: ReadonlySet<string>
  readonly selection: Selection
  /** Where the work stands between the canvas and the service; undefined where nothing is saved. */
  readonly save: SaveState | undefined
  /** What keeps the draft from being published, or from being saved at all. */
  readonly faults: FlowFaults
  /** The run whose states are on the canvas: the newest one, or the one that was chosen. */
  readonly run: ShownRun | undefined
  readonly chosenRun: string | undefined
  /** By For each, the item of that run whose states are on the nodes inside. */
  readonly items: ReadonlyMap<string, ShownItem>
  /** By For each, the place of the one that was chosen. */
  readonly chosenItems: ReadonlyMap<string, number>
  /** What stands for the outputs of nodes in tests, by node. Empty until it is read, and where nothing can be tested. */
  readonly pins: ReadonlyMap<string, Pin>
  /** What is drawn otherwise than the shown run ran it. */
  readonly edited: EditedSince
  readonly panel: SidePanel | undefined
  /** What is open below the canvas. */
  readonly below: SidePanel | undefined
  /** What is selected, beside the canvas or across the page. A panel that is open stands in its place. */
  readonly inspector: InspectorSize
  /** The node in a field of which somebody types: what is wrong with it is told when they have done. */
  readonly writing: string | undefined
  /** What was just added, until somebody has worked on it: what it still lacks is no fault of theirs yet. */
  readonly untouched: ReadonlySet<string>
  /** The node whose title is being typed. */
  readonly renaming: string | undefined
  /** The earlier version that stands in the canvas' place. */
  readonly viewed: ViewedVersion | undefined
  /** How nodes and notes, and wires by `edgeKey`, differ from another version while two are compared. */
  readonly marks: ReadonlyMap<string, Mark>
  /** What undo and redo would do, in words; undefined where there is nothing. */
  readonly undoes: string | undefined
  readonly redoes: string | undefined
}

export interface LiveVersion {
  readonly version: number
  readonly document: Flow
}

export interface ViewedVersion {
  /** Of a draft that was kept: the one that it was edited from. */
  readonly version: number
  readonly keptDraft?: number
  readonly name: string | null
  readonly createdAt: string
  readonly document: Flow
  /** Beside the flow as it is now, rather than by itself. */
  readonly isCompared: boolean
  /** What is live, to be compared with the draft before that is published. */
  readonly isReview?: boolean
  /** What might take the place of the document, which is the draft then; with what a test of it did. */
  readonly proposed?: { readonly flow: Flow; readonly run: ShownRun | undefined }
}

export type InspectorSize = 'closed' | 'side' | 'wide'

export type Mark = 'added' | 'removed' | 'changed'

export interface Selection {
  /** Ids of nodes and notes. */
  readonly parts: ReadonlySet<string>
  /** Wires, by `edgeKey`. */
  readonly wires: ReadonlySet<string>
}

/** While a run goes on, its steps come one by one. */
export interface ShownRun {
  readonly id: string
  readonly status: Run['status']
  readonly flowVersion: number
  /** It tried a draft out: `flowVersion` is what that was made from. */
  readonly isTest: boolean
  readonly createdAt: string
  readonly startedAt: string | null
  readonly finishedAt: string | null
  readonly error: Run['error']
  readonly steps: ReadonlyMap<string, NodeRun>
}

export interface ShownItem {
  readonly run: Run
  /** How many the For each has begun. */
  readonly count: number
}

/** What a run did at one node. */
export type NodeRun = Pick<
  Step,
  'node' | 'status' | 'attempts' | 'duration_ms' | 'outputs' | 'error' | 'pinned' | 'logs'
> & {
  /** An event leaves out what is large. */
  readonly outputs_omitted?: boolean
  /** Of a For each: what it gave the item that is shown. */
  readonly given?: Readonly<Record<string, JsonValue>>
}

/** What left a node by one of its outputs in a run; undefined where nothing did. */
export function outputIn(run: ShownRun | undefined, { node, port }: End): JsonValue | undefined {
  const step = run?.steps.get(node)
  const value = step?.outputs?.[port]
  return value === undefined ? step?.given?.[port] : value
}

export interface SidePanel {
  /** One panel is open at a time; a button can tell by the id whether it is its own. */
  readonly id: string
  readonly title: string
  readonly content: React.ReactNode
  /** In pixels; 360 where it is left out. */
  readonly width?: number
  /** Beside the canvas in the place of the inspector, or below it: then both are in sight. */
  readonly place?: 'beside' | 'below'
  /** On a phone it leaves the canvas in sight, rather than covering it. */
  readonly isSheet?: boolean
}

const NO_FAULTS: readonly Fault[] = []

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

/** Part of the flow as callers find it: `useLiveFlow((flow) => flow.slug)`. */
export function useLiveFlow<T>(select: (flow: Flow) => T): T {
  return useFlowAs('live', select)
}

/** For what is asked of either: the draft, which is drawn, or what callers find. */
export type FlowState = 'drawn' | 'live'

export function useFlowAs<T>(state: FlowState, select: (flow: Flow) => T): T {
  return useEditorState(({ flow, live }) => select(state === 'live' ? live.document : flow))
}

/** What the shown run did at a node; undefined where it did not get to. */
export function useNodeRun(node: string): NodeRun | undefined {
  return useEditorState(({ run }) => run?.steps.get(node))
}

/** What is pinned for a node. */
export function usePin(node: string): Pin | undefined {
  return useEditorState(({ pins }) => pins.get(node))
}

/** What is wrong with a field, in the service's words. */
export function useFieldFaults(node: string, field: string): readonly Fault[] {
  return useEditorState(({ faults, untouched }) =>
    untouched.has(node) ? NO_FAULTS : (faults.ofField.get(fieldKey(node, field)) ?? NO_FAULTS)
  )
}

/** What is wrong with a node apart from its fields. */
export function useNodeFaults(node: string): readonly Fault[] {
  return useEditorState(({ faults, untouched }) =>
    untouched.has(node) ? NO_FAULTS : (faults.ofNode.get(node) ?? NO_FAULTS)
  )
}
