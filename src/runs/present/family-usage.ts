import type { RunStore } from '../../store/store.ts'
import { presentUsage } from '../record/run-usage.ts'
import type { PresentedRun, PresentedUsage } from './run-shape.ts'

/** Components whose steps start runs and wait for them. */
const STARTS_RUNS = ['for-each', 'repeat', 'run-flow', 'agent']

/** The run with what its items and the flows that it called used of models, besides its own steps. */
export async function withFamilyUsage(
  run: PresentedRun,
  seq: number,
  store: Pick<RunStore, 'usageBelow'>
): Promise<PresentedRun> {
  if (!run.steps.some(({ type }) => STARTS_RUNS.includes(type))) return run
  const below = await store.usageBelow(seq)
  return below.length === 0 ? run : { ...run, usage: added(run.usage, presentUsage(below)) }
}

function added(one: PresentedUsage | null, other: PresentedUsage): PresentedUsage {
  if (one === null) return other
  return {
    input_tokens: one.input_tokens + other.input_tokens,
    cached_tokens: one.cached_tokens + other.cached_tokens,
    output_tokens: one.output_tokens + other.output_tokens,
    total_tokens: one.total_tokens + other.total_tokens
  }
}
