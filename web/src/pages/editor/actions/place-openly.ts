import { placeAt } from '../../../editor/clipboard/place-fragment.ts'
import type { Fragment } from '../../../editor/commands/command.ts'
import type { Flow, Point, Sizes } from '../../../editor/graph/flow.ts'
import type { PageCatalogue } from '../../../editor/wiring/page-catalogue.ts'
import { noteSize } from '../geometry/node-geometry.ts'
import { openPlace } from './free-place.ts'
import { sizeOfNew } from './size-of-new.ts'

interface Drawing {
  readonly flow: Flow
  readonly catalogue: PageCatalogue
  readonly sizes: Sizes
}

/**
 * Copies as near to the wished place as they cover nothing; left out, near to where they are. What stands in a frame that is not
 * among them stays as it is: all around it is that frame.
 */
export function placeOpenly(fragment: Fragment, drawing: Drawing, wished?: Point): Fragment {
  const { flow, catalogue, sizes } = drawing
  const ids = new Set(fragment.nodes.map(({ id }) => id))
  if (fragment.nodes.some(({ parent }) => parent !== undefined && !ids.has(parent))) return fragment
  const boxes = [
    ...fragment.nodes.map((node) => ({ ...node.position, ...sizeOfNew(flow, catalogue, node) })),
    ...fragment.notes.map((note) => ({ ...note.position, ...noteSize(note) }))
  ]
  if (boxes.length === 0) return fragment
  const [x, y] = [Math.min(...boxes.map((box) => box.x)), Math.min(...boxes.map((box) => box.y))]
  const width = Math.max(...boxes.map((box) => box.x + box.width)) - x
  const height = Math.max(...boxes.map((box) => box.y + box.height)) - y
  return placeAt(fragment, openPlace(flow, sizes, wished ?? { x, y }, { width, height }))
}
