import { StepError } from '../../plugin-api.ts'

/** What an expression gave, where that is a condition. */
export function conditionOf(result: unknown): boolean {
  if (typeof result === 'boolean') return result
  throw new StepError(
    'The expression gives no condition. Write one that is true or false, such as data.total > 100.',
    { code: 'not_a_condition', retryable: false }
  )
}
