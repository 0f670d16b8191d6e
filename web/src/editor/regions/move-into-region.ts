import { parentsOf } from '../../../../src/flows/graph/regions.ts'
import { type Command, describeCommand, type Fragment } from '../commands/command.ts'
import { type Flow, findNode } from '../graph/flow.ts'
import type { ComponentFacts, PageCatalogue } from '../wiring/page-catalogue.ts'
import { wiresCut } from './regions.ts'

/** Why a node of this component cannot stand in a region, and what to do; undefined where it can. */
export function whyNotInside(facts: ComponentFacts | undefined): string | undefined {
  if (facts === undefined) return undefined
  if (facts.region !== null)
    return `A ${facts.title} cannot be inside another one. Put it into a flow of its own, and call that with Run flow.`
  if (facts.trigger !== null) return `${facts.title} starts runs, so it stays outside.`
  if (facts.type === 'return')
    return 'Return gives the result of the whole flow. Connect the wire to Result instead.'
  return undefined
}

interface RegionMove {
  /** Before they are moved: a frame that still had what leaves it inside would grow. */
  readonly leave: readonly Command[]
  /** After that: a frame that already had what comes to it inside would grow as well. */
  readonly enter: readonly Command[]
  /** How many wires go with it. */
  readonly cut: number
  /** Why some stay where they are, each reason once. */
  readonly refusals: readonly string[]
}

/** What it takes for nodes to stand in these regions, or in none. Those that stand there already need nothing. */
export function moveIntoRegions(
  flow: Flow,
  catalogue: PageCatalogue,
  wished: ReadonlyMap<string, string | undefined>
): RegionMove {
  const parents = parentsOf(flow.nodes)
  const refusals = new Set<string>()
  const going = [...wished].filter(([id, region]) => {
    const node = findNode(flow, id)
    if (node === undefined || parents.get(id) === region) return false
    const why = region === undefined ? undefined : whyNotInside(catalogue.facts(node.type))
    if (why !== undefined) refusals.add(why)
    return why === undefined
  })
  const leaving = going.flatMap(([id]) => (parents.has(id) ? [id] : []))
  const byRegion = Map.groupBy(going, ([, region]) => region)
  const groups = [...byRegion].map(([region, nodes]) => ({ region, ids: nodes.map(([id]) => id) }))
  return {
    leave: leaving.length === 0 ? [] : [{ kind: 'set-region', nodes: leaving, region: null }],
    enter: groups.flatMap(({ region, ids }) =>
      region === undefined ? [] : [{ kind: 'set-region', nodes: ids, region }]
    ),
    cut: new Set(groups.flatMap(({ region, ids }) => wiresCut(flow, new Set(ids), region))).size,
    refusals: [...refusals]
  }
}

/** What stands beside Undo. */
export function describeMove({ leave, enter }: RegionMove): string {
  const [command] = [...enter, ...leave]
  return command === undefined ? '' : describeCommand(command)
}

/** What is told of wires that went with a move. */
export function cutWords(cut: number): string {
  return `${cut === 1 ? 'A wire was' : `${cut} wires were`} removed: no wire leads out of the frame.`
}

/** A fragment whose nodes stand in this region. */
export function inRegion(fragment: Fragment, region: string | undefined): Fragment {
  if (region === undefined) return fragment
  return { ...fragment, nodes: fragment.nodes.map((node) => ({ ...node, parent: region })) }
}
