import type { SourceNode } from '../assembly.ts'
import type { Become } from '../become.ts'
import type { Items } from './items.ts'
import type { N8nNode } from './n8n-node.ts'
import { eachRegion, type waysOut } from './regions.ts'

/** What is run once for each item says so. */
export function drawRegions(
  { made }: Items,
  {
    byName,
    sources,
    becomes,
    regionWays,
    takesEmpty,
    sourceNode
  }: {
    byName: ReadonlyMap<string, N8nNode>
    sources: SourceNode[]
    becomes: Map<string, Become>
    regionWays: ReturnType<typeof waysOut>
    takesEmpty: (name: string) => boolean
    sourceNode: (node: N8nNode) => SourceNode
  }
): void {
  for (const region of made) {
    const node = byName.get(region.first)!
    sources.push({
      ...sourceNode(node),
      key: region.key,
      title: `Each item for ${node.name}`,
      isMade: true,
      x: node.x - 160,
      extras: {}
    })
    becomes.set(region.key, eachRegion(regionWays.get(region.key)?.ways ?? [], takesEmpty))
    const told = becomes.get(region.first)!
    becomes.set(region.first, {
      ...told,
      verdict: told.verdict === 'exact' ? 'adapted' : told.verdict,
      note: `It stands in a For each, since several items come. ${told.note}`.trim()
    })
  }
}
