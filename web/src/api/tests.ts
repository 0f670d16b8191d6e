import type { JsonValue } from '../../../src/flows/json/exact-json.ts'
import type { Flow as FlowDocumentSent } from '../editor/graph/flow.ts'
import type { Api } from './client.ts'
import { readNodeOutput } from './read-node-output.ts'
import { readRun, readRunPage } from './runs.ts'
import type { Run } from './shapes.ts'

/** What a test begins with: a payload, what started another run of the flow, or that with another payload. */
export interface TestStart {
  readonly input?: JsonValue
  readonly run_id?: string
  /** Only this node and what leads to it is run. */
  readonly node?: string
  /** Run in the place of the draft. */
  readonly document?: FlowDocumentSent
}

/** Runs the draft, or what is live where there is none, and waits for its end. */
export function startTest(api: Api, flow: string, start: TestStart): Promise<Run> {
  return api.post(`flows/${flow}/test`, { body: start })
}

/** What the flow was started with last. */
export interface LastStart {
  readonly run: string
  readonly payload: JsonValue
}

/** Of its Webhook where it has one, as other triggers send something else; null where nothing has started it yet. */
export async function readLastStart(
  api: Api,
  flow: string,
  webhook: string | undefined
): Promise<LastStart | null> {
  if (webhook !== undefined) return readLastRequest(api, flow, webhook)
  const [newest] = (await readRunPage(api, { flow_id: flow }, { limit: 1 })).runs
  return newest === undefined ? null : { run: newest.id, payload: (await readRun(api, newest.id)).input }
}

async function readLastRequest(api: Api, flow: string, webhook: string): Promise<LastStart | null> {
  const last = await readNodeOutput(api, flow, webhook)
  return last === null ? null : { run: last.run_id, payload: last.outputs.data ?? null }
}
