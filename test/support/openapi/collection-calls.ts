import type { Call } from './call.ts'

/** What is asked of a collection, which is deleted at the end. */
export function collectionCalls(collection: string): Call[] {
  const values = [collection]
  return [
    { operation: 'GET /api/v1/collections', status: 200 },
    { operation: 'POST /api/v1/collections', body: { name: 'more texts' }, status: 201 },
    { operation: 'POST /api/v1/collections', body: { name: 'more texts' }, status: 409 },
    { operation: 'POST /api/v1/collections', body: { name: 'x', model: 'm' }, status: 422 },
    { operation: 'GET /api/v1/collections/{id}', values, status: 200 },
    { operation: 'GET /api/v1/collections/{id}', values: ['absent'], status: 404 },
    { operation: 'PUT /api/v1/collections/{id}', values, body: { name: 'other texts' }, status: 200 },
    {
      operation: 'POST /api/v1/collections/{id}/texts',
      values,
      body: { id: 'a', text: 'An apple.', metadata: { page: 1 } },
      status: 200
    },
    { operation: 'POST /api/v1/collections/{id}/texts', values, body: { text: ' ' }, status: 422 },
    { operation: 'POST /api/v1/collections/{id}/search', values, body: { query: 'apples' }, status: 200 },
    {
      operation: 'POST /api/v1/collections/{id}/search',
      values,
      body: { query: 'apples', mode: 'Meaning' },
      status: 409
    },
    {
      operation: 'POST /api/v1/collections/{id}/documents',
      values,
      query: '?filename=b.txt',
      body: { said: 'Pears.' },
      status: 200
    },
    { operation: 'GET /api/v1/collections/{id}/texts', values, query: '?limit=1', status: 200 },
    { operation: 'GET /api/v1/collections/{id}/chunks', values, query: '?text=a', status: 200 },
    { operation: 'GET /api/v1/collections/{id}/chunks', values, query: '?text=c', status: 404 },
    { operation: 'DELETE /api/v1/collections/{id}/texts', values, query: '?text=a', status: 204 },
    { operation: 'DELETE /api/v1/collections/{id}/texts', values, query: '?text=a', status: 404 },
    { operation: 'DELETE /api/v1/collections/{id}', values, status: 204 }
  ]
}
