import { insertFragment } from '../../../editor/commands/insert-fragment.ts'
import type { Edge, Flow } from '../../../editor/graph/flow.ts'
import { componentsThatFit, newNode, whyNotAdd } from '../../../editor/wiring/fitting-components.ts'
import type { Handle } from '../../../editor/wiring/judge-wire.ts'
import type { ComponentFacts, PageCatalogue } from '../../../editor/wiring/page-catalogue.ts'
import { spliceInto } from '../../../editor/wiring/splice.ts'
import type { Searched } from './find-components.ts'

/** Something that can be added. */
export interface Offer {
  /** Undefined is a note. */
  readonly facts: ComponentFacts | undefined
  /** Where the wire that asked for it would end, and what the node begins with for that. */
  readonly port?: string
  readonly fields?: Readonly<Record<string, string>>
  /** Why it cannot be added to this flow. */
  readonly refusal?: string
}

const NOTE: Searched = {
  title: 'Note',
  type: 'note',
  category: 'Notes',
  description: 'Text beside the nodes, for people.',
  keywords: ['comment', 'sticky note', 'annotation', 'text', 'label']
}

export function searchedOf({ facts }: Offer): Searched {
  return facts ?? NOTE
}

/** All that a flow can have, what it has already and can have only once included. */
export function allOffers(flow: Flow, catalogue: PageCatalogue): Offer[] {
  const components = catalogue.components.map((facts): Offer => {
    const refusal = whyNotAdd(flow, catalogue, facts)
    return refusal === undefined ? { facts } : { facts, refusal }
  })
  return [...components, { facts: undefined }]
}

export function offersFor(flow: Flow, catalogue: PageCatalogue, handle: Handle): readonly Offer[] {
  return componentsThatFit(flow, catalogue, handle)
}

/** What can stand in the middle of a wire: found by putting each in and asking. */
export function offersInto(flow: Flow, catalogue: PageCatalogue, edge: Edge): Offer[] {
  return catalogue.components
    .filter((facts) => whyNotAdd(flow, catalogue, facts) === undefined)
    .filter((facts) => {
      const fragment = newNode(flow, { x: 0, y: 0 }, { facts })
      const node = fragment.nodes[0]!.id
      return spliceInto(insertFragment(flow, fragment), catalogue, node, edge)?.command !== undefined
    })
    .map((facts) => ({ facts }))
}
