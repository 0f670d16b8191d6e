import { StepError } from '../../engine/step-error.ts'
import type { LiveFlow } from '../../library/live-flow.ts'

export function refuseWhilePaused({ slug, paused }: LiveFlow): void {
  if (paused?.mode !== 'refuse') return
  throw new StepError(`The flow "${slug}" is paused and takes nothing now. Resume it.`, {
    code: 'flow_paused'
  })
}

export function parentEnded(): StepError {
  return new StepError('The run has ended.', { code: 'run_cancelled', retryable: false })
}
