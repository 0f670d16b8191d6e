import type { Answer } from './api-client.ts'
import type { Service } from './service.ts'

export const SALES = {
  'sales.ts': 'export default async function sales (context) { context.variable("team", "sales") }'
}

export function send(
  service: Service,
  method: 'PATCH' | 'DELETE',
  reference: string,
  body?: object
): Promise<Answer> {
  const options = body === undefined ? {} : { body }
  return service.request(method, `/api/v1/contexts/${encodeURIComponent(reference)}`, options)
}
