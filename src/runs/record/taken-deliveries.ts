import type { JsonValue } from '../../flows/json/exact-json.ts'
import type { Delivery } from '../../store/deliveries.ts'
import type { StoredRun } from '../../store/store.ts'
import type { StoredWait } from '../../store/waits.ts'
import { decodeEntry } from './journal-codec.ts'
import { runStartOf } from './run-start.ts'

interface Named {
  readonly deliveries?: readonly Delivery[]
}

/** By what the call is known that a node of the run was woken with. A run that has not come to wait has it in its journal alone. */
export function takenDeliveries(
  run: StoredRun,
  node: string,
  waits: readonly StoredWait[]
): readonly Delivery[] {
  const start = runStartOf(run)
  const inJournal = run.journal
    .flatMap((entry) => decodeEntry(entry, start).woken ?? [])
    .filter((woken) => woken.node === node)
    .map(({ value }) => value as JsonValue & Named)
  const kept = waits
    .filter((wait) => wait.node === node && wait.answer !== null)
    .map(({ answer }) => JSON.parse(answer!) as Named)
  return [...inJournal, ...kept].flatMap(({ deliveries = [] }) => deliveries)
}
