import type { Call } from './call.ts'

/** What stands beside a flow: what is expected of it, and what people wrote about it. */
export function besideFlowCalls(flow: string, run: string): Call[] {
  const expectations = '/api/v1/flows/{id}/expectations'
  return [
    { operation: `GET ${expectations}`, values: [flow], status: 200 },
    { operation: `POST ${expectations}`, values: [flow], body: { run_id: run }, status: 201 },
    { operation: `POST ${expectations}`, values: [flow], body: { run_id: 'absent' }, status: 404 },
    { operation: `POST ${expectations}/check`, values: [flow], status: 200 },
    { operation: `DELETE ${expectations}/{expectation}`, values: [flow, 'absent'], status: 404 }
  ]
}
