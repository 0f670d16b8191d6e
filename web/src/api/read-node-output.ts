import type { JsonValue } from '../../../src/flows/json/exact-json.ts'
import type { Api } from './client.ts'

/** What a node put out most recently, in whichever run that was. */
export interface NodeOutput {
  readonly run_id: string
  readonly created_at: string
  readonly outputs: Readonly<Record<string, JsonValue>>
}

/** Null is a node that has not put out anything yet: no fault, but where everybody begins. */
export async function readNodeOutput(
  api: Api,
  flow: string,
  node: string,
  signal?: AbortSignal
): Promise<NodeOutput | null> {
  const path = `flows/${flow}/nodes/${encodeURIComponent(node)}/output`
  const options = signal === undefined ? {} : { signal }
  return (await api.get<NodeOutput | undefined>(path, { or_none: true }, options)) ?? null
}
