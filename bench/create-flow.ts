import { API_KEY, type Service } from './service-process.ts'

export interface BenchFlow {
  readonly name: string
  readonly slug: string
  readonly nodes: readonly object[]
  readonly edges: readonly { readonly from: string; readonly to: string }[]
}

export async function createFlow(service: Service, flow: BenchFlow): Promise<void> {
  const response = await fetch(`${service.url}/api/v1/flows`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': API_KEY },
    body: JSON.stringify(flow)
  })
  if (!response.ok) throw new Error(`the flow was refused: ${await response.text()}`)
}
