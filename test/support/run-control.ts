import assert from 'node:assert/strict'
import type { ApiClient, RunBody } from './api-client.ts'

export async function cancel(service: ApiClient, id: string): Promise<RunBody> {
  const answer = await service.post(`/api/v1/runs/${id}/cancel`)
  assert.equal(answer.status, 200, answer.text)
  return answer.json<RunBody>()
}

export function statuses(run: RunBody): string[] {
  return run.steps.map(({ status }) => status)
}

export async function metric(service: ApiClient, name: string): Promise<number> {
  const { text } = await service.get('/metrics')
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${name} `))
  return Number(line?.slice(name.length))
}
