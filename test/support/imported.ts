import assert from 'node:assert/strict'
import type { ApiClient } from './api-client.ts'
export interface ReportBody {
  readonly format: string
  readonly flows: readonly {
    readonly id: string | null
    readonly slug: string
    readonly name: string
    readonly nodes: readonly { node: string; was: string; became: string; verdict: string; note: string }[]
    readonly wires: { kept: number; lost: number }
    readonly pinned: number
    readonly connections: readonly string[]
  }[]
}

export const send = (service: ApiClient, file: unknown, query = '') =>
  service.request('POST', `/api/v1/import${query}`, { body: file as object })

export async function imported(service: ApiClient, file: unknown): Promise<ReportBody> {
  const answer = await send(service, file)
  assert.equal(answer.status, 201, answer.text)
  return answer.json<ReportBody>()
}

export async function published(service: ApiClient, file: unknown): Promise<string> {
  const [flow] = (await imported(service, file)).flows
  const answer = await service.request('POST', `/api/v1/flows/${flow!.id}/publish`, { body: {} })
  assert.equal(answer.status, 200, answer.text)
  return flow!.id!
}

export interface DraftBody {
  readonly nodes: readonly {
    id: string
    type: string
    position: { x: number; y: number }
    fields: Record<string, unknown>
  }[]
  readonly edges: readonly { from: string; to: string }[]
  readonly errors: readonly { code: string; message: string }[]
}

/** What became of it, without what is only missing: connections, and what stands for nothing yet. */
export async function draftOf(service: ApiClient, file: unknown, at = 0) {
  const report = (await imported(service, file)).flows[at]!
  const draft = (await service.get(`/api/v1/flows/${report.id}/draft`)).json<DraftBody>()
  const faults = draft.errors.filter(({ code }) => !/^(?:connection_|placeholder_left)/.test(code))
  assert.deepEqual(faults, [])
  const verdicts = Object.fromEntries(report.nodes.map(({ node, verdict }) => [node, verdict]))
  return { report, draft, verdicts, node: (id: string) => draft.nodes.find((node) => node.id === id) }
}

export interface RunBody {
  readonly status: string
  readonly output: unknown
  readonly error: { message: string } | null
  readonly steps: readonly { node: string; status: string; outputs: Record<string, unknown> }[]
}

export async function run(service: ApiClient, flow: string, input: unknown): Promise<RunBody> {
  return (await service.request('POST', `/api/v1/run/${flow}`, { body: { input } })).json<RunBody>()
}

/** What the Parser printed of a body, as a sender sends it. */
export async function printed(
  service: ApiClient,
  flow: string,
  body: string,
  type = 'application/json'
): Promise<unknown> {
  const answer = await service.request('POST', `/api/v1/webhook/${flow}`, {
    body: Buffer.from(body),
    headers: { 'content-type': type, prefer: 'wait=10' }
  })
  assert.equal(answer.status, 202, answer.text)
  const { run_id } = answer.json<{ run_id: string }>()
  const { steps, error } = (await service.get(`/api/v1/runs/${run_id}`)).json<RunBody>()
  return steps.find(({ node }) => node.startsWith('chat-output'))?.outputs?.message ?? error?.message
}
