import type { ModelUsage } from '../../store/model-usage.ts'
import type { Outcome, StoredRun } from '../../store/store.ts'
import { decodeEntry } from './journal-codec.ts'
import { modelUsage } from './run-usage.ts'

/**
 * What a run used since it was accepted or opened again: what it had used before was told when it ended then. Of a test
 * nothing is told.
 */
export function newUsage(
  { isTest }: Pick<StoredRun, 'isTest'>,
  { usage }: Pick<Outcome, 'usage'>,
  journal: StoredRun['journal']
): readonly ModelUsage[] {
  if (isTest === true) return []
  if (usage.length === 0 || journal.length === 0) return usage
  const { reopened, settled = [] } = decodeEntry(journal[0]!, undefined)
  if (reopened !== true) return usage
  const before = new Map(modelUsage(settled).map((each) => [each.model, each]))
  return usage
    .map((now): ModelUsage => {
      const { input = 0, cached = 0, output = 0 } = before.get(now.model) ?? {}
      const { model } = now
      return { model, input: now.input - input, cached: now.cached - cached, output: now.output - output }
    })
    .filter(({ input, output }) => input > 0 || output > 0)
}
