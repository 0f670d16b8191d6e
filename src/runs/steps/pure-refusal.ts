import { StepError } from '../../engine/step-error.ts'

export function reachesOutside(type: string, but: string): StepError {
  return new StepError(
    `The component "${type}" says that it is pure, and a pure component ${but}: leave effects: 'pure' out of it.`,
    { code: 'pure_component', retryable: false }
  )
}
