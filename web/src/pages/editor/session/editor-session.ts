import { looseIn, unwiredIn } from '../../../../../src/flows/validate/flow-warnings.ts'
import type { Pin } from '../../../api/pins.ts'
import type { Command, Fragment } from '../../../editor/commands/command.ts'
import { adopt, execute, type History, redo, startHistory, undo } from '../../../editor/commands/history.ts'
import type { EditedSince } from '../../../editor/compare/edited-since.ts'
import { edgeKey, type Flow, findNode, takenIds } from '../../../editor/graph/flow.ts'
import { judgementOf, type SaveState } from '../../../editor/save/save-state.ts'
import { placeFaults } from '../../../editor/wiring/flow-faults.ts'
import type { PageCatalogue } from '../../../editor/wiring/page-catalogue.ts'
import { renamedOutputs } from '../../../editor/wiring/renamed-outputs.ts'
import type {
  Editor,
  EditorState,
  InspectorSize,
  LiveVersion,
  Mark,
  Selection,
  ShownItem,
  ShownRun,
  SidePanel,
  ViewedVersion
} from '../editor-context.ts'
import { withItems } from './with-items.ts'

interface SessionOptions {
  readonly flowId: string
  /** Another picture of the same flow, with a view of its own: an earlier version. */
  readonly picture?: string
  readonly flow: Flow
  readonly live: LiveVersion
  readonly catalogue: PageCatalogue
  readonly isReadOnly: boolean
  /** Milliseconds of a clock that does not run backwards. */
  readonly now: () => number
}

const UNEDITED: EditedSince = { isEdited: false, nodes: new Set() }
const NOTHING: Selection = { parts: new Set(), wires: new Set() }

/** One open flow: what is drawn of it, what is chosen, and what can be undone. It knows of no canvas and no service. */
export class EditorSession implements Editor {
  readonly flowId: string
  /** By this it is remembered what was in sight. */
  readonly pictureId: string
  readonly #now: () => number
  readonly #watchers = new Set<() => void>()
  readonly #guides = new Set<(part: string) => void>()
  #beforeWide: InspectorSize = 'closed'
  #history: History
  /** Without what its items did. */
  #run: ShownRun | undefined
  #state: EditorState

  constructor({ flowId, picture, flow, live, catalogue, isReadOnly, now }: SessionOptions) {
    this.flowId = flowId
    this.pictureId = picture === undefined ? flowId : `${flowId}.${picture}`
    this.#now = now
    this.#history = startHistory(flow)
    this.#state = {
      flow,
      live,
      isReadOnly,
      catalogue,
      unwired: notWiredIn(flow, catalogue),
      selection: NOTHING,
      save: undefined,
      faults: placeFaults(flow, []),
      run: undefined,
      chosenRun: undefined,
      items: new Map(),
      chosenItems: new Map(),
      pins: new Map(),
      edited: UNEDITED,
      panel: undefined,
      below: undefined,
      inspector: 'closed',
      writing: undefined,
      untouched: NOTHING.parts,
      renaming: undefined,
      viewed: undefined,
      marks: new Map(),
      undoes: undefined,
      redoes: undefined
    }
  }

  readonly state = (): EditorState => this.#state

  readonly watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }

  component(type: string) {
    return this.#state.catalogue.facts(type)
  }

  execute(command: Command, gesture?: string): void {
    if (this.#state.isReadOnly) return
    const moment = { at: this.#now(), ...(gesture === undefined ? {} : { gesture }) }
    this.#travel(execute(this.#history, command, moment))
  }

  undo(): void {
    if (!this.#state.isReadOnly) this.#travel(undo(this.#history))
  }

  redo(): void {
    if (!this.#state.isReadOnly) this.#travel(redo(this.#history))
  }

  /** Takes over what another editor made of the flow, or what came of a merge with it. */
  adopt(flow: Flow, renamed?: ReadonlyMap<string, string>): void {
    this.#travel(adopt(this.#history, flow, renamed))
  }

  /** Puts something in and selects it. */
  insert(fragment: Fragment, by: 'add' | 'paste' | 'duplicate'): readonly string[] {
    const before = takenIds(this.#state.flow)
    this.execute({ kind: 'insert', fragment, by })
    const { untouched } = this.#state
    const added = [...takenIds(this.#state.flow)].filter((id) => !before.has(id))
    if (added.length > 0) this.select({ parts: new Set(added), wires: new Set() })
    // Who adds one after the other has not left the ones before.
    if (by === 'add') this.#become({ untouched: untouched.union(new Set(added)) })
    return added
  }

  setField(node: string, field: string, value: unknown): void {
    this.#touch(new Set([node]))
    const { flow, catalogue } = this.#state
    const found = findNode(flow, node)
    const renamed = found && renamedOutputs(found, catalogue.find(flow.context, found.type), field, value)
    this.execute({ kind: 'set-field', node, field, value, renamed })
  }

  resetField(node: string, field: string): void {
    this.execute({ kind: 'reset-field', node, field })
  }

  select(selection: Partial<Selection>): void {
    // Who goes elsewhere has left it as it is.
    if (selection.parts !== undefined) this.#touch(this.#state.selection.parts.difference(selection.parts))
    this.#become({ selection: { ...this.#state.selection, ...selection } })
  }

  showPanel(panel: SidePanel): void {
    this.#touch()
    this.#become(panel.place === 'below' ? { below: panel } : { panel })
  }

  closePanel(place: 'beside' | 'below' = 'beside'): void {
    this.#become(place === 'below' ? { below: undefined } : { panel: undefined })
  }

  inspect(inspector: InspectorSize): void {
    // Who asks to see what is selected has done with the panel in its place.
    const panel = inspector === 'closed' ? this.#state.panel : undefined
    if (inspector === 'wide' && this.#state.inspector !== 'wide') this.#beforeWide = this.#state.inspector
    if (inspector !== this.#state.inspector || panel !== this.#state.panel) this.#become({ inspector, panel })
  }

  narrow(): void {
    this.inspect(this.#state.inspector === 'wide' ? this.#beforeWide : 'closed')
  }

  showRun(run: string | undefined): void {
    this.#become({ chosenRun: run })
  }

  viewVersion(viewed: ViewedVersion | undefined): void {
    this.#become({ viewed })
  }

  write(node: string | undefined): void {
    if (node !== this.#state.writing) this.#become({ writing: node })
  }

  rename(node: string | undefined): void {
    if (!this.#state.isReadOnly) this.#become({ renaming: node })
  }

  goTo(part: string): void {
    this.select({ parts: new Set([part]), wires: new Set() })
    for (const guide of [...this.#guides]) guide(part)
  }

  /** Whoever can bring a part into view says so. */
  readonly onGoTo = (guide: (part: string) => void): (() => void) => {
    this.#guides.add(guide)
    return () => this.#guides.delete(guide)
  }

  setCatalogue(catalogue: PageCatalogue): void {
    if (catalogue === this.#state.catalogue) return
    this.#become({ catalogue, unwired: notWiredIn(this.#state.flow, catalogue) })
  }

  setLive(live: LiveVersion): void {
    this.#become({ live })
  }

  setSave(save: SaveState): void {
    const { document, faults } = judgementOf(save)
    const isSame = faults.length === 0 && this.#state.faults.all.length === 0
    if (isSame || faults === this.#state.faults.all) return this.#become({ save })
    this.#become({ save, faults: placeFaults(document, faults) })
  }

  setMarks(marks: ReadonlyMap<string, Mark>): void {
    this.#become({ marks })
  }

  /** The shown run as it was told, without its items. */
  toldRun(): ShownRun | undefined {
    return this.#run
  }

  setRun(run: ShownRun | undefined): void {
    if (run === this.#run) return
    const isOther = run?.id !== this.#run?.id
    this.#run = run
    const items = isOther ? new Map<string, ShownItem>() : this.#state.items
    const chosenItems = isOther ? new Map<string, number>() : this.#state.chosenItems
    this.#become({ run: run && withItems(run, items), items, chosenItems })
  }

  setItem(region: string, item: ShownItem | undefined): void {
    if (item === this.#state.items.get(region)) return
    const items = new Map(this.#state.items)
    if (item === undefined) items.delete(region)
    else items.set(region, item)
    this.#become({ items, run: this.#run && withItems(this.#run, items) })
  }

  showItem(region: string, index: number): void {
    this.#become({ chosenItems: new Map(this.#state.chosenItems).set(region, index) })
  }

  setPins(pins: readonly Pin[]): void {
    this.#become({ pins: new Map(pins.map((pin) => [pin.node, pin])) })
  }

  /** Undefined where it is not known what the shown run ran. */
  setEdited(edited: EditedSince = UNEDITED): void {
    const { isEdited, nodes } = this.#state.edited
    const isSame = isEdited === edited.isEdited && nodes.symmetricDifference(edited.nodes).size === 0
    if (!isSame) this.#become({ edited })
  }

  #touch(parts: ReadonlySet<string> = this.#state.untouched): void {
    const { untouched } = this.#state
    if (!untouched.isDisjointFrom(parts)) this.#become({ untouched: untouched.difference(parts) })
  }

  #travel(history: History): void {
    if (history === this.#history) return
    this.#history = history
    const { flow, past, future } = history
    this.#become({
      flow,
      unwired: this.#unwiredNow(flow),
      selection: stillThere(this.#state.selection, flow),
      undoes: past.at(-1)?.label,
      redoes: future.at(-1)?.label
    })
  }

  /** The same set while it holds the same: what is typed must not draw a thousand nodes again. */
  #unwiredNow(flow: Flow): ReadonlySet<string> {
    const { unwired, catalogue } = this.#state
    const now = notWiredIn(flow, catalogue)
    return now.symmetricDifference(unwired).size === 0 ? unwired : now
  }

  #become(changes: Partial<EditorState>): void {
    this.#state = { ...this.#state, ...changes }
    for (const watcher of [...this.#watchers]) watcher()
  }
}

function notWiredIn(flow: Flow, catalogue: PageCatalogue): Set<string> {
  return unwiredIn(flow, catalogue).union(looseIn(flow))
}

/** What is gone cannot stay chosen: Delete would be offered for nothing. */
function stillThere(selection: Selection, flow: Flow): Selection {
  if (selection.parts.size + selection.wires.size === 0) return selection
  const parts = takenIds(flow)
  const wires = new Set(flow.edges.map(edgeKey))
  const kept = {
    parts: new Set([...selection.parts].filter((id) => parts.has(id))),
    wires: new Set([...selection.wires].filter((key) => wires.has(key)))
  }
  const isSame = kept.parts.size === selection.parts.size && kept.wires.size === selection.wires.size
  return isSame ? selection : kept
}
