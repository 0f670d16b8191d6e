import type { JsonValue } from '../../../../src/flows/json/exact-json.ts'
import {
  type ConnectionUse,
  connectionUses,
  stateOfUse,
  type UseState,
  usedName
} from '../../../../src/flows/validate/connection-uses.ts'
import type { Flow } from '../graph/flow.ts'
import type { PageCatalogue } from '../wiring/page-catalogue.ts'

/** A connection that flows of the context can name, as `GET /api/v1/connections/visible` tells it. */
export interface Seen {
  readonly name: string
  readonly kind: string
  readonly context: string
  readonly hides: readonly { readonly context: string }[]
}

/** Where a node that names a connection stands with it. */
export interface Standing<S extends Seen = Seen> extends ConnectionUse {
  /** What is looked up: the name with the variables of the context filled in. */
  readonly means: string
  readonly state: UseState
  /** The connection that the context means by it. */
  readonly seen: S | undefined
}

/** What the context of the flow gives. */
export interface Around<S extends Seen = Seen> {
  readonly seen: readonly S[]
  readonly variables: Readonly<Record<string, JsonValue>>
}

export function standingOf<S extends Seen>(use: ConnectionUse, { seen, variables }: Around<S>): Standing<S> {
  const means = usedName(use, variables)
  const found = seen.find(({ name }) => name === means)
  return { ...use, means, state: stateOfUse(use, found), seen: found }
}

/** Of all connections that nodes of a flow, as it is drawn, name. */
export function connectionStandings<S extends Seen>(
  flow: Pick<Flow, 'nodes'>,
  catalogue: Pick<PageCatalogue, 'facts'>,
  around: Around<S>
): Standing<S>[] {
  return connectionUses(flow, (type) => catalogue.facts(type)?.fields).map((use) => standingOf(use, around))
}

/** The nodes of a flow, as it is drawn, whose connection is missing or of another kind. */
export function connectionTroubles<S extends Seen>(
  ...of: Parameters<typeof connectionStandings<S>>
): Standing<S>[] {
  return connectionStandings(...of).filter(({ state }) => state !== 'found')
}

/** Which connection it is, where it comes from and why, in a line. */
export function describeStanding({ name, means, state, seen, kinds }: Standing, context: string): string {
  const spelled = name === means ? '' : `${name} is “${means}”. `
  if (seen === undefined) return `${spelled}No “${means}” in ${context}${context === '/' ? '' : ' or above'}.`
  if (state === 'wrong_kind') {
    return `${spelled}“${means}” of ${seen.context} is of the kind ${seen.kind}. This takes ${kinds.join(' or ')}.`
  }
  const place = `Found in ${seen.context}`
  const hidden = seen.hides[0]
  return `${spelled}${place}${hidden === undefined ? '' : `; hides the one of ${hidden.context}`}.`
}
