import { describe, it } from 'node:test'
import type { FlowNode } from '../../src/flows/document/flow-document.ts'
import { GALLERY } from '../../web/src/pages/flows/templates/gallery.ts'
import type { FlowBody, RunBody } from '../support/api-client.ts'
import { testBrowser } from '../support/browser.ts'
import { comesTo } from '../support/comes-to.ts'
import type { Editor } from '../support/editor.ts'
import { runGallerySample, startGalleryCounterparts } from '../support/gallery-counterparts.ts'
import { type Service, startService } from '../support/service.ts'
import { sharedEditor } from '../support/shared-editor.ts'

const open = sharedEditor(testBrowser(), async (file) => {
  const service = await startService(file)
  await startGalleryCounterparts(file, service)
  return service
})

interface Box {
  readonly id: string
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

function boxes(editor: Editor): Promise<Box[]> {
  return editor.nodes().evaluateAll((nodes) =>
    nodes.map((node) => {
      const { left, top, right, bottom } = node.getBoundingClientRect()
      return { id: node.getAttribute('data-node')!, left, top, right, bottom }
    })
  )
}

function overlap(one: Box, other: Box): boolean {
  const isBeside = one.right <= other.left || other.right <= one.left
  return !isBeside && one.top < other.bottom && other.top < one.bottom
}

/** What is wrong with the places of the parts, in words. A frame lies around what it holds. */
async function misplaced(editor: Editor, nodes: readonly FlowNode[]): Promise<string[]> {
  const frameOf = new Map(nodes.map(({ id, parent }) => [id, parent]))
  const parts = await boxes(editor)
  const room = (await editor.canvas.boundingBox())!
  const isInSight = ({ top, bottom, left, right }: Box) =>
    top >= room.y && bottom <= room.y + room.height && left >= room.x && right <= room.x + room.width
  const isFramed = (one: Box, other: Box) =>
    frameOf.get(one.id) === other.id || frameOf.get(other.id) === one.id
  return parts.flatMap((part, index) => [
    ...parts
      .slice(index + 1)
      .filter((other) => overlap(part, other) && !isFramed(part, other))
      .map((other) => `${part.id} lies over ${other.id}`),
    ...(isInSight(part) ? [] : [`${part.id} is not in sight`])
  ])
}

/** A small one, one with many ports, the widest, and one with a frame. */
const DRAWN = ['shop-order', 'raffle-tickets', 'ticket-triage', 'order-lines']

// That no part of any lies over another is told by template-places.test.ts, by the numbers that the canvas draws by.
describe('a worked template on the canvas', () => {
  for (const { id, document, sample } of GALLERY.filter(({ id }) => DRAWN.includes(id))) {
    it(`stands in sight with no part over another, also after a run: ${id}`, async (t) => {
      let run: RunBody | undefined
      const before = async (service: Service, flow: FlowBody) => {
        run = await runGallerySample(service, flow, sample)
      }
      const editor = await open(t, { document: { ...document }, before })
      for (const { node, status } of run!.steps) {
        if (status === 'succeeded') await editor.ran(node).getByText('Succeeded').waitFor()
      }
      await editor.settled()
      // What a node shows of a run arrives bit by bit, and the canvas makes room for it each time.
      await comesTo(editor.page, () => misplaced(editor, document.nodes), [])
    })
  }
})
