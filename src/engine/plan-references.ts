import type { AnyComponent } from '../flows/component/component.ts'
import { referencesIn } from '../flows/component/node-references.ts'
import type { ReferenceName } from '../flows/graph/run-references.ts'
import type { JsonValue } from '../flows/json/exact-json.ts'
import type { Outputs } from './step-record.ts'

/** What the fields of a node read of the run beside its inputs. */
export interface PlannedReferences {
  readonly names: ReadonlySet<ReferenceName>
  /** The nodes that are read, with their places in the plan. */
  readonly nodes: readonly { readonly id: string; readonly index: number }[]
  /** Its code finds out by itself which nodes it reads: it is given all that lead to it. */
  readonly readsAny: boolean
  readonly slug: string
}

/** What a step is given of that. */
export interface StepReferences {
  /** What those put out that are settled and put out anything, by node. */
  readonly nodes: Readonly<Record<string, Outputs>>
  /** When the step began, in milliseconds since 1970: the same for all of its attempts, after a crash as well. */
  readonly beganAt: number
}

export function planReferences(
  component: Pick<AnyComponent, 'fields'>,
  fields: Readonly<Record<string, JsonValue>>,
  slug: string,
  placeOf: (id: string) => number | undefined
): PlannedReferences | undefined {
  const names = new Set<ReferenceName>()
  const ids = new Set<string>()
  let readsAny = false
  for (const { name, node } of referencesIn(component, fields)) {
    names.add(name)
    if (node !== undefined) ids.add(node)
    else if (name === 'nodes') readsAny = true
  }
  if (names.size === 0) return undefined
  const nodes = [...ids].flatMap((id) => {
    const index = placeOf(id)
    return index === undefined ? [] : [{ id, index }]
  })
  return { names, nodes, readsAny, slug }
}

interface Placed {
  readonly id: string
  readonly index: number
  readonly sources: readonly number[]
  readonly references: PlannedReferences | undefined
}

/** The same nodes, those whose code finds out which nodes it reads with all that lead to them. */
export function withAllBefore<N extends Placed>(nodes: readonly N[]): readonly N[] {
  if (!nodes.some(({ references }) => references?.readsAny === true)) return nodes
  return nodes.map((node) => {
    const { references } = node
    if (references?.readsAny !== true) return node
    const before = allBefore(nodes, node)
    return { ...node, references: { ...references, nodes: before.map(({ id, index }) => ({ id, index })) } }
  })
}

function allBefore<N extends Placed>(nodes: readonly N[], { sources }: N): N[] {
  // A set grows while it is walked, so each node is looked at once.
  const before = new Set(sources)
  for (const index of before) for (const source of nodes[index]!.sources) before.add(source)
  return [...before].toSorted((a, b) => a - b).map((index) => nodes[index]!)
}

/** What those nodes have put out. */
export function outputsRead(
  { nodes }: PlannedReferences,
  outputs: readonly (Outputs | null | undefined)[]
): StepReferences['nodes'] {
  return Object.fromEntries(
    nodes.flatMap(({ id, index }) => {
      const given = outputs[index]
      return given == null ? [] : [[id, given]]
    })
  )
}

/** What a journal has to tell of a step that reads the time. */
export function timeReadBy({ node, references }: ReadingCall): { readonly beganAt?: number } {
  const { names } = node.references ?? {}
  return references !== undefined && names?.has('now') === true ? { beganAt: references.beganAt } : {}
}

interface ReadingCall {
  readonly node: { readonly references: PlannedReferences | undefined }
  readonly references?: StepReferences
}
