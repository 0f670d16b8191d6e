import type { Call } from './call.ts'

/** What stands beside a flow: what is expected of it, and what people wrote about it. */
export function besideFlowCalls(flow: string, run: string): Call[] {
  const expectations = '/api/v1/flows/{id}/expectations'
  const comments = '/api/v1/flows/{id}/comments'
  const presence = '/api/v1/flows/{id}/presence'
  return [
    { operation: `GET ${expectations}`, values: [flow], status: 200 },
    { operation: `POST ${expectations}`, values: [flow], body: { run_id: run }, status: 201 },
    { operation: `POST ${expectations}`, values: [flow], body: { run_id: 'absent' }, status: 404 },
    { operation: `POST ${expectations}/check`, values: [flow], status: 200 },
    { operation: `DELETE ${expectations}/{expectation}`, values: [flow, 'absent'], status: 404 },

    { operation: `GET ${comments}`, values: [flow], status: 200 },
    { operation: `POST ${comments}`, values: [flow], body: { text: 'Why?', node: 'parser-1' }, status: 201 },
    { operation: `POST ${comments}`, values: [flow], body: { text: ' ' }, status: 422 },
    { operation: `PATCH ${comments}/{comment}`, values: [flow, 'absent'], body: { done: true }, status: 404 },
    { operation: `DELETE ${comments}/{comment}`, values: [flow, 'absent'], status: 404 },

    { operation: `PUT ${presence}`, values: [flow], body: { page: 'some-page', node: null }, status: 200 },
    { operation: `GET ${presence}`, values: [flow], status: 200 },
    { operation: `DELETE ${presence}/{page}`, values: [flow, 'some-page'], status: 204 }
  ]
}
