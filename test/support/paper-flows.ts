import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { FileValue } from '../../src/flows/file-value.ts'
import type { ApiClient, RequestOptions } from './api-client.ts'

/** Webhook → one node of the plugin paper → Return. */
export function paperFlow(type: string, more: Record<string, unknown> = {}, webhook: object = {}) {
  return {
    name: type,
    nodes: [
      { id: 'webhook-1', type: 'webhook', fields: webhook },
      { id: 'paper', type },
      { id: 'answer', type: 'return' }
    ],
    edges: [
      { from: 'webhook-1.data', to: 'paper.data' },
      { from: 'paper.data', to: 'answer.data' }
    ],
    ...more
  }
}

export async function upload(
  service: ApiClient,
  text: string | Uint8Array,
  { query = '', ...options }: RequestOptions & { query?: string } = {}
): Promise<FileValue> {
  const answer = await service.request('POST', `/api/v1/files${query}`, {
    body: Buffer.from(text),
    ...options
  })
  assert.equal(answer.status, 201, answer.text)
  return answer.json<FileValue>()
}

/** The names of all bytes that lie in the folder of a service. */
export async function bytesIn(home: string): Promise<string[]> {
  const found = await readdir(join(home, 'files'), { recursive: true, withFileTypes: true }).catch(() => [])
  return found.filter((entry) => entry.isFile()).map(({ name }) => name)
}
