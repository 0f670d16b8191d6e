import { StepError } from '../../../plugin-api.ts'

export function tooManySteps(most: number): StepError {
  return new StepError(
    `The model was asked ${most} times and still calls tools. What it has found out is kept: the runs below this one show it, and a retry goes on from there, for as many questions again. Or raise "Most steps", or give it a smaller task or better tools.`,
    { code: 'agent_max_steps', retryable: false }
  )
}

export function outOfTime(): StepError {
  return new StepError(
    'The agent was stopped in the middle of its work, which is kept: a retry of the run goes on from there. Raise timeout_ms of its node, or give it a smaller task.',
    { code: 'agent_out_of_time', retryable: false }
  )
}
