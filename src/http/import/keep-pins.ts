import { MillraceError } from '../../errors.ts'
import type { FlowNode } from '../../flows/document/flow-document.ts'
import type { ImportedFlow } from '../../import/imported-flow.ts'
import type { LiveFlow } from '../../library/live-flow.ts'
import type { PinnedOutputs, Pins } from '../../runs/steps/pins.ts'

/** What was pinned there is pinned here, so that the draft can be tested at once. One that is too large is left out. */
export async function keepPins(
  { document, pinned }: ImportedFlow,
  flow: LiveFlow,
  { pins, author }: { readonly pins: Pick<Pins, 'put'>; readonly author: string }
): Promise<void> {
  const nodes = document.nodes as readonly FlowNode[]
  const ids = nodes.map(({ id }) => id)
  for (const node of nodes) {
    const outputs = Object.hasOwn(pinned, node.id) ? pinned[node.id] : undefined
    if (outputs === undefined) continue
    const edited = { flow, context: flow.context, node, ids }
    await pins.put(edited, outputs as PinnedOutputs, author).catch((error) => {
      if (!(error instanceof MillraceError) || error.code !== 'pin_too_large') throw error
    })
  }
}
