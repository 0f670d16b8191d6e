import { placeAt } from '../../../editor/clipboard/place-fragment.ts'
import type { Fragment } from '../../../editor/commands/command.ts'
import type { Flow, Point, Sizes } from '../../../editor/graph/flow.ts'
import type { PageCatalogue } from '../../../editor/wiring/page-catalogue.ts'
import { boxAround, type Rectangle } from '../geometry/into-sight.ts'
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
  const { flow, sizes } = drawing
  const ids = new Set(fragment.nodes.map(({ id }) => id))
  if (fragment.nodes.some(({ parent }) => parent !== undefined && !ids.has(parent))) return fragment
  const box = boxOfFragment(fragment, drawing)
  return box === undefined ? fragment : placeAt(fragment, openPlace(flow, sizes, wished ?? box, box))
}

/** What it takes of the canvas; undefined where there is nothing in it. */
export function boxOfFragment(
  { nodes, notes }: Fragment,
  { flow, catalogue }: Pick<Drawing, 'flow' | 'catalogue'>
): Rectangle | undefined {
  const boxes = [
    ...nodes.map((node) => ({ ...node.position, ...sizeOfNew(flow, catalogue, node) })),
    ...notes.map((note) => ({ ...note.position, ...noteSize(note) }))
  ]
  return boxes.length === 0 ? undefined : boxAround(boxes)
}
