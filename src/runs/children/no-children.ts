import { StepError } from '../../engine/step-error.ts'
import type { ChildRuns } from '../../flows/step/step-children.ts'

/** For steps that are no part of a run: what they would start has nothing to belong to. */
export const noChildren = {
  of(): ChildRuns {
    throw new StepError(
      'It starts runs, and a node that is tried by itself starts none. Test the flow, or the flow up to this node.',
      {
        code: 'no_children',
        retryable: false
      }
    )
  }
}
