import type { Become } from './become.ts'
import { placeholderFor } from './placeholder.ts'

/** A flow has no circles: what stands there keeps the wire, and says what to do. */
export function wayBack(title: string, tool: string): Become {
  return placeholderFor({
    was: `The way back to "${title}" of ${tool}`,
    settings: { leads_to: title },
    nearest: `A flow has no circles. Put what is repeated, from "${title}" to here, into a Repeat.`,
    outputs: [],
    inputs: ['0']
  })
}
