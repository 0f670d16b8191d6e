import assert from 'node:assert/strict'
import type { Answer, ApiClient, FlowBody, RequestOptions } from './api-client.ts'
import { ORDER } from './documents.ts'

interface VersionBody {
  readonly version: number
  readonly is_live: boolean
  readonly name: string | null
  readonly note: string | null
  readonly author: string | null
  readonly changes: string | null
  readonly origin: string | null
}

export interface DraftBody extends FlowBody {
  readonly revision: number
  readonly base_version: number
  readonly behind: boolean
}

const BODY = JSON.stringify(ORDER)

export function withTemplate({ nodes }: Pick<FlowBody, 'nodes'>, template: string) {
  const fields = { mode: 'Parser', template }
  return { nodes: nodes.map((node) => (node.type === 'parser' ? { ...node, fields } : node)) }
}

export async function draft(service: ApiClient, flow: FlowBody, changes: object): Promise<DraftBody> {
  const body = { ...flow, ...changes }
  const answer = await service.request('PUT', `/api/v1/flows/${flow.id}/draft`, { body })
  assert.equal(answer.status, 200, answer.text)
  return answer.json<DraftBody>()
}

export function publish(
  service: ApiClient,
  flow: FlowBody,
  body?: object,
  options?: RequestOptions
): Promise<Answer> {
  return service.post(`/api/v1/flows/${flow.id}/publish`, body, options)
}

export const readDraft = (service: ApiClient, flow: FlowBody) => service.get(`/api/v1/flows/${flow.id}/draft`)

export async function versions(service: ApiClient, flow: FlowBody, query = '') {
  const answer = await service.get(`/api/v1/flows/${flow.id}/versions${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.json<{ versions: VersionBody[]; next_cursor: string | null }>()
}

export async function said(service: ApiClient, flow: FlowBody): Promise<unknown> {
  const run = await service.run(flow.slug, BODY)
  return run.steps.find(({ type }) => type === 'parser')?.outputs?.parsed_text
}
