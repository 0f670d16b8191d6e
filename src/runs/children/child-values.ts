import { isLongValue } from '../../flows/json/long-value.ts'
import type { ChildResult } from '../../flows/step/step-children.ts'
import type { Child } from '../../store/children.ts'
import type { RunStart } from '../record/run-start.ts'
import { decodeSteps } from '../record/step-codec.ts'
import { loadLong, type ReadPiece } from '../steps/long-values.ts'
import { itemResult, resultOfRun } from './run-result.ts'

interface EndedChild {
  readonly child: Child
  readonly node: string
  /** What it was started with. */
  readonly input: unknown
  readonly isItem: boolean
  readonly readPiece: ReadPiece
}

/** How a child ended, with what it gave in memory. Undefined while it goes on. */
export async function childResult(ended: EndedChild): Promise<ChildResult | undefined> {
  const { child, node, isItem, readPiece } = ended
  const { outcome, index, id: runId } = child
  if (outcome === null) return undefined
  const { status, finishedAt: endedAt } = outcome
  const error = outcome.error === null ? null : (JSON.parse(outcome.error) as ChildResult['error'])
  if (status !== 'succeeded') return { index, runId, status, output: undefined, error, endedAt }
  const start: RunStart = { input: ended.input as RunStart['input'], request: null }
  const steps = decodeSteps(outcome.steps, start)
  const value = isItem ? itemResult(steps, node) : resultOfRun(steps)
  const output = isLongValue(value) ? await loadLong(value, readPiece) : value
  return { index, runId, status, output, error: null, endedAt }
}
