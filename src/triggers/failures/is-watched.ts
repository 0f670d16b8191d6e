import { isWithin } from '../../contexts/context-path.ts'

/** A flow that a run of failed. */
export interface FailedFlow {
  readonly id: string
  readonly slug: string
  /** Former slugs that it still answers to. */
  readonly aliases: readonly string[]
  readonly context: string
}

/** Where somebody waits for failures, and of which flows; none are all. */
interface Watch {
  readonly flow: { readonly id: string; readonly context: string }
  readonly flows: readonly string[]
}

/** A context learns of what it and those below it hold, and of no other: the input of a run is told with its failure. */
export function isWatched({ flow, flows }: Watch, failed: FailedFlow): boolean {
  if (!isWithin(failed.context, flow.context)) return false
  if (flows.length === 0) return failed.id !== flow.id
  const names = [failed.id, failed.slug, ...failed.aliases]
  return flows.some((name) => names.includes(name.trim()))
}
