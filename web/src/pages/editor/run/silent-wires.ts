import { carriedBy } from '../../../editor/wiring/carried.ts'
import type { ShownRun } from '../editor-context.ts'

/** Whether nothing went over a wire, by its `edgeKey`, in a run. */
export function isSilentIn({ steps }: ShownRun, wire: string): boolean {
  const from = wire.slice(0, wire.indexOf(' -> '))
  return carriedBy({ from }, steps).kind === 'silent'
}
