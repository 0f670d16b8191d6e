import type { JsonValue } from '../../plugin-api.ts'

/** What conditions see of their run, beside the data. */
export const RUN_NAMES: readonly string[] = ['nodes', 'run', 'now']

/** Undefined where the condition reads nothing of it, which is the usual case. */
export function ofRun(
  variables: Readonly<Record<string, JsonValue>>
): Readonly<Record<string, unknown>> | undefined {
  const { nodes, run, now } = variables
  if (nodes === undefined && run === undefined && now === undefined) return undefined
  return {
    ...(nodes !== undefined && { nodes }),
    ...(run !== undefined && { run }),
    // A time can be compared, and asked for its parts.
    ...(now !== undefined && { now: new Date(now as string) })
  }
}
