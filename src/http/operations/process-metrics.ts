import { collectDefaultMetrics, Registry } from 'prom-client'

let collected: Registry | undefined

/**
 * What Prometheus reads about the process: its memory, its event loop, its garbage. A process has one of each, however
 * many services come and go in it: what watches them is never let go of, and wakes the process a hundred times a second.
 */
export function processMetrics(): Registry {
  if (collected === undefined) {
    collected = new Registry()
    collectDefaultMetrics({ register: collected })
  }
  return collected
}
