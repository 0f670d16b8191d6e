import { equalJson } from '../graph/equal-json.ts'
import {
  type Edge,
  type Flow,
  LAYOUT_MEMBERS,
  type Node,
  type Note,
  notesOf,
  takenIds,
  touches
} from '../graph/flow.ts'
import { freshIds } from '../graph/free-ids.ts'
import { type NewIds, renameInFlow } from '../graph/rename-ids.ts'
import { withoutParent } from '../regions/regions.ts'
import { type Choice, type Choices, type Conflict, type ConflictPart, conflictId } from './conflict.ts'
import { isChanged, mapThree, mergeMaps, mergeMembers, settle, type Three } from './three-ways.ts'

/**
 * Brings together what two editors made of one flow.
 *
 *   M1  What only one side changed is taken from that side; what both changed alike is one change.
 *   M2  Where a thing stands and how it is drawn is nothing to ask about: mine stays, as I see it on my canvas.
 *   M3  A node or note that one side removed and the other only moved is removed; one that the other changed, or led
 *       a wire to or from, is a conflict.
 *   M4  Two new things with one id are two things: mine gets another id.
 *   M5  A field, a member or an input that both changed in different ways is a conflict.
 *   M6  A wire goes with its node. One that went only because its node did comes back with it.
 *   M7  A node whose region is gone stands outside.
 *
 * A conflict takes the choice that was made for it, `otherwise` until then. Nothing is dropped without being listed.
 */
export interface Merge {
  readonly flow: Flow
  readonly conflicts: readonly Conflict[]
  /** New ids of mine by their old ones (M4). */
  readonly renamed: NewIds
}

interface MergeOptions {
  readonly choices?: Choices
  readonly otherwise?: Choice
}

export function mergeFlows(flows: Three<Flow>, options: MergeOptions = {}): Merge {
  const same = settle(flows)
  if (same !== undefined) return { flow: same.value, conflicts: [], renamed: new Map() }
  const renamed = idsToRename(flows)
  return new Merging({ ...flows, mine: renameInFlow(flows.mine, renamed) }, options).merge(renamed)
}

const LISTS: readonly string[] = ['nodes', 'edges', 'notes']

type Part = Node | Note

class Merging {
  readonly #flows: Three<Flow>
  readonly #options: MergeOptions
  readonly #conflicts: Conflict[] = []

  constructor(flows: Three<Flow>, options: MergeOptions) {
    this.#flows = flows
    this.#options = options
  }

  merge(renamed: NewIds): Merge {
    const head = mergeMembers<Flow>(this.#flows, (member, three) =>
      LISTS.includes(member) ? three.theirs : this.#value({ part: 'flow', member }, three)
    )
    const nodes = outsideOfWhatIsGone(this.#nodes())
    const notes = this.#notes()
    const edges = this.#edges(new Set(nodes.keys()))
    const { notes: _, ...without } = head
    const flow: Flow = { ...without, nodes: [...nodes.values()], edges }
    const isNoted = notes.size > 0 || this.#flows.theirs.notes !== undefined
    return {
      flow: isNoted ? { ...flow, notes: [...notes.values()] } : flow,
      conflicts: this.#conflicts,
      renamed
    }
  }

  #nodes(): Map<string, Node> {
    return mergeMaps(
      mapThree(this.#flows, ({ nodes }) => byId(nodes)),
      (node, three) => this.#part({ part: 'node', node }, three, (both) => this.#node(node, both))
    )
  }

  #node(node: string, three: Three<Node | undefined>): Node {
    return mergeMembers(three, (member, values) => {
      if (member === 'fields') return this.#fields(node, values as Three<Node['fields'] | undefined>)
      return this.#member({ part: 'node member', node, member }, values)
    })
  }

  #fields(node: string, three: Three<Node['fields'] | undefined>): unknown {
    return mergeMembers(three, (field, values) => this.#value({ part: 'field', node, field }, values))
  }

  #notes(): Map<string, Note> {
    return mergeMaps(
      mapThree(this.#flows, (flow) => byId(notesOf(flow))),
      (note, three) =>
        this.#part({ part: 'note', note }, three, (both) =>
          mergeMembers(both, (member, values) =>
            member === 'nodes'
              ? mergeIds(values as Three<Note['nodes']>)
              : this.#member({ part: 'note member', note, member }, values)
          )
        )
    )
  }

  /** A node or a note as a whole: there, gone, or in question. */
  #part<T extends Part>(
    part: ConflictPart,
    three: Three<T | undefined>,
    mergeBoth: (three: Three<T | undefined>) => T
  ): T | undefined {
    const { base, mine, theirs } = three
    const isOneGone = base !== undefined && (mine === undefined || theirs === undefined)
    if (isOneGone) {
      const isTouched =
        mine === undefined ? this.#isTouched('theirs', base, theirs) : this.#isTouched('mine', base, mine)
      return isTouched ? this.#ask(part, three) : undefined
    }
    return settle(three)?.value ?? mergeBoth(three)
  }

  /** Whether a side did more to a thing than to move it (M3). */
  #isTouched(side: Choice, base: Part, now: Part | undefined): boolean {
    if (now === undefined) return false
    if (isChanged(content(now), content(base))) return true
    const before = new Set(this.#flows.base.edges.map(keyOf))
    return this.#flows[side].edges.some(
      (edge) => touches(edge, (node) => node === base.id) && !before.has(keyOf(edge))
    )
  }

  /** By input, with all wires that lead to it: which comes first decides what the input takes. */
  #edges(kept: ReadonlySet<string>): Edge[] {
    const isLoose = (edge: Edge) => touches(edge, (node) => !kept.has(node))
    const edges = mergeMaps<readonly Edge[]>(
      {
        base: byInput(this.#flows.base.edges),
        mine: byInput(this.#edgesOf('mine', kept)),
        theirs: byInput(this.#edgesOf('theirs', kept))
      },
      (to, three) => {
        const firm = (wires: readonly Edge[] | undefined) => {
          const left = wires?.filter((edge) => !isLoose(edge)) ?? []
          return left.length === 0 ? undefined : left
        }
        const before = new Set(three.base?.map(keyOf))
        // An edge from a node that is gone is not a choice (M6): where it was the only one, nothing was done.
        const isVoid = (wires: readonly Edge[]) =>
          wires.every((edge) => isLoose(edge) && !before.has(keyOf(edge)))
        const offered = mapThree(three, (wires) =>
          firm(wires !== undefined && isVoid(wires) ? three.base : wires)
        )
        const settled = settle(offered)
        return settled === undefined ? this.#wires(to, offered) : settled.value
      }
    )
    return [...edges.values()].flat()
  }

  #wires(to: string, three: Three<readonly Edge[] | undefined>): readonly Edge[] | undefined {
    const shown = mapThree(three, (edges) => edges?.map(({ from }) => from).join(', '))
    const chosen = this.#ask({ part: 'wire', to }, shown)
    return chosen === shown.mine ? three.mine : three.theirs
  }

  /** A side's edges, with those that went only because their node did and that comes back (M6). */
  #edgesOf(side: Choice, kept: ReadonlySet<string>): readonly Edge[] {
    const now = this.#flows[side]
    const present = new Set(now.nodes.map(({ id }) => id))
    const isBack = (node: string) => kept.has(node) && !present.has(node)
    const fed = new Set(now.edges.map(({ to }) => to))
    const back = this.#flows.base.edges.filter((edge) => touches(edge, isBack) && !fed.has(edge.to))
    return back.length === 0 ? now.edges : [...now.edges, ...back]
  }

  #member(part: ConflictPart & { readonly member: string }, three: Three<unknown>): unknown {
    const settled = settle(three)
    if (settled !== undefined) return settled.value
    return LAYOUT_MEMBERS.includes(part.member) ? three.mine : this.#ask(part, three)
  }

  #value(part: ConflictPart, three: Three<unknown>): unknown {
    const settled = settle(three)
    return settled === undefined ? this.#ask(part, three) : settled.value
  }

  #ask<T>(part: ConflictPart, three: Three<T>): T {
    const id = conflictId(part)
    const choice = this.#options.choices?.get(id)
    this.#conflicts.push({ ...part, ...three, id, choice })
    return three[choice ?? this.#options.otherwise ?? 'mine']
  }
}

function outsideOfWhatIsGone(nodes: ReadonlyMap<string, Node>): ReadonlyMap<string, Node> {
  const isGone = (parent: string) => !nodes.has(parent)
  return new Map([...nodes].map(([id, node]) => [id, withoutParent(node, isGone)]))
}

/** Which nodes a group is around: what either side took in is in, what either took out is out. */
function mergeIds(three: Three<Note['nodes']>): Note['nodes'] {
  const settled = settle(three)
  if (settled !== undefined) return settled.value
  const { base = [], mine = [], theirs = [] } = three
  const out = new Set(base.filter((id) => !mine.includes(id) || !theirs.includes(id)))
  return [...new Set([...theirs, ...mine])].filter((id) => !out.has(id))
}

function content(part: Part): unknown {
  return Object.fromEntries(Object.entries(part).filter(([member]) => !LAYOUT_MEMBERS.includes(member)))
}

/** What both sides made, each under the same id (M4). */
function idsToRename({ base, mine, theirs }: Three<Flow>): Map<string, string> {
  const old = takenIds(base)
  const made = new Map<string, Part>(
    [...theirs.nodes, ...notesOf(theirs)].filter(({ id }) => !old.has(id)).map((part) => [part.id, part])
  )
  const doubled = [...mine.nodes, ...notesOf(mine)].filter(
    (part) => !old.has(part.id) && made.has(part.id) && !equalJson(part, made.get(part.id))
  )
  const taken = new Set([...old, ...takenIds(mine), ...takenIds(theirs)])
  return freshIds(
    doubled.map(({ id }) => id),
    taken
  )
}

function byId<T extends { readonly id: string }>(parts: readonly T[]): Map<string, T> {
  return new Map(parts.map((part) => [part.id, part]))
}

function byInput(edges: readonly Edge[]): Map<string, readonly Edge[]> {
  return Map.groupBy(edges, ({ to }) => to)
}

function keyOf({ from, to }: Edge): string {
  return `${from} -> ${to}`
}
