import assert from 'node:assert/strict'
import { it } from 'node:test'
import { builtInComponents } from '../../../../../src/components/built-in.ts'
import type { Flow } from '../../../editor/graph/flow.ts'
import { factsOf } from '../../../editor/wiring/page-catalogue.test-kit.ts'
import { PageCatalogue } from '../../../editor/wiring/page-catalogue.ts'
import { GALLERY } from '../../flows/templates/gallery.ts'
import { DrawnNodes } from './drawn-nodes.ts'
import { nodeSize } from './node-geometry.ts'
import { framesOfRegions } from './region-geometry.ts'

const catalogue = new PageCatalogue(builtInComponents.map(factsOf))

/** What lies over what, in words. A frame lies around what it holds. */
function overlaps(flow: Flow): string[] {
  const drawn = new DrawnNodes().of(flow, catalogue)
  const frames = framesOfRegions(drawn)
  const parts = drawn.map((one) => ({
    ...(frames.get(one.node.id) ?? { ...one.node.position, ...nodeSize(one) }),
    id: one.node.id,
    frame: one.node.parent
  }))
  type Part = (typeof parts)[number]
  const overlap = (one: Part, other: Part) =>
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  return parts.flatMap((one, index) =>
    parts
      .slice(index + 1)
      .filter((other) => overlap(one, other) && one.frame !== other.id && other.frame !== one.id)
      .map((other) => `${one.id} lies over ${other.id}`)
  )
}

it('a worked template has no part over another', () => {
  for (const { id, document } of GALLERY)
    assert.deepEqual(overlaps({ ...document, slug: id, context: '/' }), [], id)
})

it('parts that lie over one another are found', () => {
  const { document } = GALLERY[0]!
  const [first, second, ...others] = document.nodes
  const moved = { ...second!, position: first!.position }
  const found = overlaps({ ...document, slug: 'moved', context: '/', nodes: [first!, moved, ...others] })
  assert.deepEqual(found, [`${first!.id} lies over ${moved.id}`])
})
