import { isDeepStrictEqual } from 'node:util'
import type { Service } from '../service-process.ts'

/** What a run shows of a step. */
export interface RecordedStep {
  readonly node: string
  readonly status: string
  readonly attempts: number
  readonly started_at: string | null
  readonly duration_ms: number | null
  readonly outputs: unknown
}

/** Steps that are recorded as succeeded, by run and node. */
export type RecordedSteps = ReadonlyMap<string, ReadonlyMap<string, RecordedStep>>

const READERS = 16

/** Of these runs, as the API shows them. */
export async function readSucceeded(service: Service, runs: readonly string[]): Promise<RecordedSteps> {
  const recorded = new Map<string, ReadonlyMap<string, RecordedStep>>()
  const queue = runs.values()
  const reader = async () => {
    for (const id of queue) {
      const { steps } = (await service.get(`/api/v1/runs/${id}`)) as { steps: readonly RecordedStep[] }
      const succeeded = steps.filter(({ status }) => status === 'succeeded')
      recorded.set(id, new Map(succeeded.map((step) => [step.node, step])))
    }
  }
  await Promise.all(Array.from({ length: READERS }, reader))
  return recorded
}

/** A step that had succeeded before a retry stands there after it as it did: nothing began it again. */
export function faultsOfRetry(before: RecordedSteps, after: RecordedSteps): string[] {
  return [...before].flatMap(([run, steps]) =>
    [...steps].flatMap(([node, step]) => {
      const now = after.get(run)?.get(node)
      if (now === undefined)
        return [`J7: step ${node} of run ${run} had succeeded, and after a retry had not`]
      return howItShows(now) === howItShows(step) && isDeepStrictEqual(now.outputs, step.outputs)
        ? []
        : [`J7: step ${node} of run ${run} had succeeded (${howItShows(step)}), now ${howItShows(now)}`]
    })
  )
}

function howItShows({ attempts, started_at, duration_ms }: RecordedStep): string {
  return `attempt ${attempts}, begun ${started_at}, ${duration_ms} ms`
}
