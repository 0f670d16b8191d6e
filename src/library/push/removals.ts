import { isWithin } from '../../contexts/context-path.ts'
import { slugInFolder } from '../../flow-files/placed.ts'
import { isOfFile } from '../file-flows.ts'
import type { FlowLibrary } from '../flow-library.ts'
import type { LiveFlow } from '../live-flow.ts'
import type { Pusher, PushOrder } from './push-order.ts'

/** Flows that were not sent and stay all the same, since nothing of their context was sent. */
export interface LeftFlows {
  readonly context: string
  readonly flows: readonly string[]
}

interface Removals {
  readonly removed: readonly LiveFlow[]
  readonly left: readonly LeftFlows[]
}

/**
 * Flows of the scope that were not sent. Below the context that is pushed to only contexts of which something was sent are cleared:
 * whoever pushes production to the root does not mean a stage beside it that another folder stands for.
 */
export function removalsOf(
  order: PushOrder,
  pusher: Pusher,
  sent: ReadonlySet<string>,
  library: Pick<FlowLibrary, 'list'>
): Removals {
  if (!order.isDeleting) return { removed: [], left: [] }
  const { scope, origin } = order
  const unsent = library
    .list()
    .filter((flow) => isWithin(flow.context, scope.context) && slugInFolder(flow.slug, scope) !== undefined)
    .filter((flow) => !sent.has(flow.slug) && pusher.canSee(flow))
    .filter((flow) => (origin === 'file') === isOfFile(flow))
  // A folder that is followed has all flows that came from it, wherever they are.
  if (origin === 'file') return { removed: unsent, left: [] }
  const named = contextsNamedBy(order)
  const left = Map.groupBy(
    unsent.filter(({ context }) => !named.has(context)),
    ({ context }) => context
  )
  return {
    removed: unsent.filter(({ context }) => named.has(context)),
    left: [...left].map(([context, flows]) => ({ context, flows: flows.map(({ slug }) => slug) }))
  }
}

function contextsNamedBy({ scope, flows, contexts, connections }: PushOrder): ReadonlySet<string> {
  return new Set([
    scope.context,
    ...flows.map(({ context }) => String(context ?? '/')),
    ...contexts.map(({ path }) => path),
    ...connections.map(({ context }) => context)
  ])
}
