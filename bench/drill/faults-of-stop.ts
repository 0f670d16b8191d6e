import type { End } from '../child-end.ts'
import type { Service } from '../service-process.ts'

const STOP_WITHIN_MS = 10_000

/** Stops the service as an operator would. */
export async function faultsOfStop(service: Service): Promise<string[]> {
  const since = performance.now()
  const end: End = await service.stop()
  const took = performance.now() - since
  if (end === 0 && took <= STOP_WITHIN_MS) return []
  return [`SIGTERM ended the service with ${end} after ${Math.round(took)} ms`]
}
