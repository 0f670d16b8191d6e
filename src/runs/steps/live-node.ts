import type { ConnectionOpener } from '../../connections/connection-opener.ts'
import { OpenedSecrets } from '../../connections/opened-secrets.ts'
import { Caller } from '../../egress/caller.ts'
import type { Egress } from '../../egress/egress.ts'
import type { LiveNode } from '../../flows/component/trigger.ts'
import type { SendRequest } from '../../flows/step/step-connection.ts'

/** How steps, and nodes outside of runs, reach outside. */
export interface Reach {
  readonly egress: Pick<Egress, 'fetch' | 'request'>
  readonly connections: Pick<ConnectionOpener, 'openByName'>
}

/** Which node of which version is meant. */
export interface NodeOfVersion<V = unknown> {
  readonly node: string
  readonly flow: LiveNode<V>['flow']
  readonly fields: V
}

interface OpenedNode<V> {
  readonly node: LiveNode<V>
  /** What it has opened so far: nothing that it says may tell them. */
  readonly secrets: OpenedSecrets
  /** As `fetch`, cheaper. */
  readonly request: SendRequest
}

/** A node outside of any run, with the same ways to the outside that its steps have. */
export function liveNode<V>(
  { node, flow, fields }: NodeOfVersion<V>,
  outside: Reach,
  signal: AbortSignal
): OpenedNode<V> {
  const secrets = new OpenedSecrets()
  const caller = new Caller(outside.egress, {
    trustedFor: () => null,
    headersFor: (_url, headers) => headers,
    signal
  })
  return {
    secrets,
    request: caller.request,
    node: {
      node,
      fields,
      flow,
      signal,
      fetch: caller.fetch,
      connection: (name, kinds) =>
        outside.connections.openByName(flow.context, { name, kinds }, { signal, secrets })
    }
  }
}
