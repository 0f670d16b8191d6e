import type { ConnectionPreset } from '../../../api/connections.ts'
import { insertFragment } from '../../../editor/commands/insert-fragment.ts'
import type { Edge, Flow } from '../../../editor/graph/flow.ts'
import { inRegion, whyNotInside } from '../../../editor/regions/move-into-region.ts'
import {
  componentsThatFit,
  newNode,
  whyNotAdd,
  whyNotFit
} from '../../../editor/wiring/fitting-components.ts'
import type { Handle } from '../../../editor/wiring/judge-wire.ts'
import type { ComponentFacts, PageCatalogue } from '../../../editor/wiring/page-catalogue.ts'
import { regionForNew } from '../../../editor/wiring/region-scope.ts'
import { spliceInto } from '../../../editor/wiring/splice.ts'
import type { Searched } from './find-components.ts'

/** Something that can be added. */
export interface Offer {
  /** Undefined is a note. */
  readonly facts: ComponentFacts | undefined
  /** Where the wire that asked for it would end, and what the node begins with for that. */
  readonly port?: string
  readonly fields?: Readonly<Record<string, unknown>>
  /** The service that it calls, where it was made for one. */
  readonly preset?: ConnectionPreset
  /** What it is called here, where that is not the component. */
  readonly named?: Searched
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

export function searchedOf({ facts, preset, named }: Offer): Searched {
  return preset === undefined ? (named ?? facts ?? NOTE) : searchedService(preset)
}

/** What calls a service that is known. */
export const CALLS = 'api-request'

function searchedService({ id, name, category, keywords }: ConnectionPreset): Searched {
  return {
    title: name,
    type: `${CALLS} ${id}`,
    category,
    description: `An API Request to ${name}, by a connection that knows how to sign in there.`,
    keywords
  }
}

/** All that a flow can have, what it has already and can have only once included. */
export function allOffers(flow: Flow, catalogue: PageCatalogue): Offer[] {
  const components = catalogue.components.filter(isChosen).map((facts): Offer => {
    const refusal = whyNotAdd(flow, catalogue, facts)
    return refusal === undefined ? { facts } : { facts, refusal }
  })
  return [...components, { facts: undefined }]
}

export function offersFor(flow: Flow, catalogue: PageCatalogue, handle: Handle): readonly Offer[] {
  const region = regionForNew(flow, catalogue, undefined, { handle })
  const fitting = componentsThatFit(flow, catalogue, handle).filter(
    ({ facts }) => isChosen(facts) && isFree(facts, region)
  )
  const others = catalogue.components.filter(
    (facts) => isChosen(facts) && !fitting.some((one) => one.facts === facts)
  )
  return [...fitting, ...others.flatMap((facts) => refusedOffer(facts, whyNot(facts)))]

  function whyNot(facts: ComponentFacts): string | undefined {
    return region === undefined || isFree(facts, region)
      ? whyNotFit(flow, catalogue, facts, handle)
      : whyNotInside(facts)
  }
}

/** Who looks for it by name learns why it is not there. */
function refusedOffer(facts: ComponentFacts, refusal: string | undefined): Offer[] {
  return refusal === undefined ? [] : [{ facts, refusal }]
}

/** What stands for an imported node is chosen by nobody. */
function isChosen({ placeholder }: ComponentFacts): boolean {
  return placeholder !== true
}

/** Whether it may stand in this region, or there is none. */
function isFree(facts: ComponentFacts, region: string | undefined): boolean {
  return region === undefined || whyNotInside(facts) === undefined
}

/** What can stand in the middle of a wire: found by putting each in and asking. */
export function offersInto(flow: Flow, catalogue: PageCatalogue, edge: Edge): Offer[] {
  const region = regionForNew(flow, catalogue, undefined, { into: edge })
  return catalogue.components
    .filter((facts) => isFree(facts, region) && whyNotAdd(flow, catalogue, facts) === undefined)
    .filter((facts) => {
      const fragment = inRegion(newNode(flow, { x: 0, y: 0 }, { facts }), region)
      const node = fragment.nodes[0]!.id
      return spliceInto(insertFragment(flow, fragment), catalogue, node, edge)?.command !== undefined
    })
    .map((facts) => ({ facts }))
}
