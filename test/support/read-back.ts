import assert from 'node:assert/strict'
import type { ApiClient, RunBody } from './api-client.ts'

export async function readBack(service: ApiClient, id: string): Promise<{ text: string; run: RunBody }> {
  const answer = await service.get(`/api/v1/runs/${id}`)
  assert.equal(answer.status, 200, answer.text)
  return { text: answer.text, run: answer.json<RunBody>() }
}

export function outputOf(run: RunBody, node: string): Record<string, unknown> {
  return run.steps.find((step) => step.node === node)!.outputs!
}
