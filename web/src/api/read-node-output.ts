import type { JsonValue } from '../../../src/flows/exact-json.ts'
import type { Api } from './client.ts'
import { ApiProblem } from './problem.ts'

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
  try {
    const path = `flows/${flow}/nodes/${encodeURIComponent(node)}/output`
    return await api.get<NodeOutput>(path, {}, signal === undefined ? {} : { signal })
  } catch (error) {
    if (error instanceof ApiProblem && error.code === 'output_not_found') return null
    throw error
  }
}
