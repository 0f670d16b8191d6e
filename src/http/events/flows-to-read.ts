import { isWithin } from '../../contexts/context-path.ts'
import { type Actor, canSee, seesAll } from '../../keys/rights.ts'
import type { FlowLibrary } from '../../library/flow-library.ts'
import type { ReadFlows } from './event-pages.ts'

const ALL_FLOWS: ReadFlows = { ids: null, name: 'all' }

export const NO_FLOWS: ReadFlows = { ids: [], name: 'none' }

export const oneFlow = (id: string): ReadFlows => ({ ids: [id], name: `flow ${id}` })

/** To look for more flows than this costs more than to read the changes of all and leave out what is not seen. */
const MOST_NAMED = 500

/** The flows whose changes a key sees. Those of a context are found once, and again when some flow has changed. */
export function flowsToRead(
  library: Pick<FlowLibrary, 'find' | 'list' | 'subscribe'>
): (actor: Actor) => ReadFlows {
  const byContext = new Map<string, ReadFlows>()
  let revision = 0
  library.subscribe(() => {
    byContext.clear()
    revision++
  })

  function within(context: string): ReadFlows {
    const ids = library.list().flatMap((flow) => (isWithin(flow.context, context) ? [flow.id] : []))
    // What was read for the former flows must not be taken for what is read now.
    return ids.length > MOST_NAMED ? ALL_FLOWS : { ids, name: `context ${context} at ${revision}` }
  }

  return (actor) => {
    if (seesAll(actor)) return ALL_FLOWS
    if (actor.flowId !== null) {
      const flow = library.find(actor.flowId)
      return flow !== undefined && canSee(actor, flow) ? oneFlow(flow.id) : NO_FLOWS
    }
    const context = actor.context!
    const flows = byContext.get(context) ?? within(context)
    byContext.set(context, flows)
    return flows
  }
}
