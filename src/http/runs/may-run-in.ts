import { MillraceError } from '../../errors.ts'
import { type Actor, coversContext } from '../../keys/rights.ts'

/** It was lent by the flow that called: whoever replays the call alone has to have a say there as well. */
export function assertMayRunIn(actor: Actor, context: string | null): void {
  if (context === null || coversContext(actor, context)) return
  throw new MillraceError(
    'forbidden',
    `The run used the connections of ${context}, the context of the flow that called it, and the key "${actor.name}" does not cover that. Replay it with one that does, or replay the run that called it.`
  )
}
