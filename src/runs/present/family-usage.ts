import type { RunStore } from '../../store/store.ts'
import { presentUsage } from '../record/run-usage.ts'
import type { PresentedRun, PresentedUsage } from './run-shape.ts'

/** Components whose steps start runs and wait for them. */
const STARTS_RUNS = ['for-each', 'repeat', 'run-flow', 'agent']

/** Those, and components whose steps ask models themselves. Of a plugin's nothing is put aside, so nothing is known. */
const ASKS_MODELS: ReadonlySet<string> = new Set([
  ...STARTS_RUNS,
  'language-model',
  'knowledge-search',
  'knowledge-write'
])

/** The run with what its items and the flows that it called used of models, besides its own steps. */
export async function withFamilyUsage(
  run: PresentedRun,
  seq: number,
  { store, costOfRun }: FamilyDeps
): Promise<PresentedRun> {
  const asksModels = run.steps.some(({ type }) => ASKS_MODELS.has(type))
  const cost = asksModels && run.parent === null ? await costOfRun(seq) : run.cost
  return { ...(await withTokens(run, seq, store)), cost }
}

interface FamilyDeps {
  readonly store: Pick<RunStore, 'usageBelow'>
  /** What models have cost it, with all below it. */
  readonly costOfRun: (seq: number) => Promise<number>
}

async function withTokens(
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
