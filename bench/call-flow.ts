import { API_KEY, type Service } from './service-process.ts'

/** A flow that sends what its webhook gets on to this address, and keeps the answer. */
export async function createCallFlow(service: Service, slug: string, url: string): Promise<void> {
  const response = await fetch(`${service.url}/api/v1/flows`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': API_KEY },
    body: JSON.stringify({
      name: 'Bench call',
      slug,
      nodes: [
        { id: 'webhook-1', type: 'webhook', fields: {} },
        { id: 'api-1', type: 'api-request', fields: { method: 'POST', url } }
      ],
      edges: [{ from: 'webhook-1.data', to: 'api-1.data' }]
    })
  })
  if (!response.ok) throw new Error(`the flow was refused: ${await response.text()}`)
}
