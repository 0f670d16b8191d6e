import assert from 'node:assert/strict'
import type { RunBody } from './api-client.ts'
import type { Service } from './service.ts'

export type Returned = RunBody & { readonly output: unknown }

export async function run(service: Pick<Service, 'post'>, slug: string, input: unknown): Promise<Returned> {
  const answer = await service.post(`/api/v1/run/${slug}`, { input })
  assert.equal(answer.status, 200, answer.text)
  return answer.json<Returned>()
}

export async function childrenOf(service: Service, id: string): Promise<RunBody[]> {
  const answer = await service.get(`/api/v1/runs?parent=${id}&limit=100`)
  return answer.json<{ runs: RunBody[] }>().runs
}

export function calling(flow: string) {
  return {
    name: 'Outer',
    nodes: [
      { id: 'webhook-1', type: 'webhook' },
      { id: 'call', type: 'run-flow', fields: { flow } },
      { id: 'answer', type: 'return' }
    ],
    edges: [
      { from: 'webhook-1.data', to: 'call.data' },
      { from: 'call.data', to: 'answer.data' }
    ]
  }
}

/** Webhook → For each ( Call ) → Return: each item calls outside. */
export function callingOutside(url: string, fields: object = {}) {
  return {
    name: 'Calls',
    nodes: [
      { id: 'webhook-1', type: 'webhook' },
      { id: 'each', type: 'for-each', fields },
      { id: 'call', type: 'call', parent: 'each', fields: { url } },
      { id: 'answer', type: 'return' }
    ],
    edges: [
      { from: 'webhook-1.data', to: 'each.items' },
      { from: 'each.item', to: 'call.data' },
      { from: 'call.data', to: 'each.result' },
      { from: 'each.results', to: 'answer.data' }
    ]
  }
}

export const plugins = ['call.ts']
