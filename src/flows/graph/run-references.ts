/**
 * What templates read besides the data and the variables of the context: outputs of earlier nodes, the whole input, the run, the
 * flow and the time. Conditions and code have them by the same names.
 */
const REFERENCE_NAMES = ['nodes', 'data', 'run', 'flow', 'now'] as const

export type ReferenceName = (typeof REFERENCE_NAMES)[number]

/** What there is of those that are objects, whatever the flow. */
export const REFERENCE_MEMBERS = { run: ['id', 'session', 'created_at'], flow: ['slug'] } as const

export function isReferenceName(name: string): name is ReferenceName {
  return (REFERENCE_NAMES as readonly string[]).includes(name)
}
