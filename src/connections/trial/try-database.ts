import { StepError } from '../../engine/step-error.ts'
import type { Try } from './connection-trials.ts'

/** The drivers of databases belong to the component that uses them; until it is there, nobody can connect. */
export const tryDatabase: Try = async ({ kind }) => {
  throw new StepError(`Connections of the kind ${kind} cannot be tried yet.`, { code: 'not_supported' })
}
