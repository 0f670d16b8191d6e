import { ORDER, ordersFlow } from '../documents.ts'
import { pets } from '../pets-api.ts'
import { besideFlowCalls } from './beside-flow-calls.ts'
import type { Call } from './call.ts'
import { collectionCalls } from './collection-calls.ts'

export interface Ids {
  readonly waiting: string
  readonly token: string
  readonly approval: string
  readonly flow: string
  readonly chat: string
  readonly run: string
  readonly failed: string
  readonly key: string
  readonly context: string
  readonly connection: string
  readonly collection: string
  readonly file: string
  readonly oauth: string
}

export const CONNECTION = {
  name: 'shop',
  kind: 'http',
  // Nobody listens there, and no name has to be looked up.
  settings: { base_url: 'http://127.0.0.1:1', auth: 'bearer' },
  secrets: { token: 'a token' }
}

/** Every operation at least once as it is meant, and most of them also as they are refused. */
export function callsOf({
  waiting,
  token,
  approval,
  flow,
  chat,
  run,
  failed,
  key,
  context,
  connection,
  collection,
  file,
  oauth
}: Ids): Call[] {
  const version = [flow, '1']
  return [
    { operation: 'GET /livez', status: 200 },
    { operation: 'GET /readyz', status: 200 },
    { operation: 'GET /metrics', status: 200 },
    { operation: 'GET /api/v1/version', status: 200 },
    { operation: 'GET /api/v1/settings', status: 200 },
    { operation: 'GET /api/v1/openapi.json', status: 200 },
    { operation: 'POST /api/v1/session', body: { api_key: 'none' }, status: 401 },
    { operation: 'GET /api/v1/session', status: 200 },
    { operation: 'DELETE /api/v1/session', status: 204 },

    { operation: 'POST /api/v1/webhook/{flow}', values: [flow], body: ORDER, status: 202 },
    { operation: 'POST /api/v1/webhook/{flow}', values: ['absent'], status: 404 },
    { operation: 'POST /v1/webhook/{flow}', values: [flow], body: [1], status: 202 },
    ...['/api/v1', '/v1'].flatMap((base) =>
      ['GET', 'PUT', 'PATCH', 'DELETE'].map((method) => ({
        operation: `${method} ${base}/webhook/{flow}`,
        values: [flow],
        status: 405
      }))
    ),
    { operation: 'POST /api/v1/run/{flow}', values: [flow], body: { input: ORDER }, status: 200 },
    { operation: 'POST /api/v1/run/{flow}', values: [flow], body: { inputs: 1 }, status: 422 },

    {
      operation: 'POST /v1/chat/completions',
      body: { model: chat, messages: [{ role: 'user', content: 'Hi' }] },
      status: 200
    },
    {
      operation: 'POST /v1/chat/completions',
      body: { model: 'absent', messages: [{ role: 'user', content: 'Hi' }] },
      status: 404
    },
    { operation: 'GET /v1/models', status: 200 },
    { operation: 'GET /v1/models/{model}', values: [chat], status: 200 },
    { operation: 'GET /v1/models/{model}', values: ['absent'], status: 404 },
    { operation: 'POST /api/v1/mcp', body: { jsonrpc: '2.0', id: 1, method: 'ping' }, status: 200 },
    { operation: 'POST /api/v1/mcp', body: { jsonrpc: '2.0', method: 'ping' }, status: 202 },

    { operation: 'GET /api/v1/runs', query: '?limit=2', status: 200 },
    { operation: 'GET /api/v1/runs', query: '?limit=2&steps=true', status: 200 },
    { operation: 'GET /api/v1/runs', query: '?cursor=x', status: 422 },
    { operation: 'GET /api/v1/runs/stats', query: '?buckets=3', status: 200 },
    { operation: 'GET /api/v1/runs/held', status: 200 },
    { operation: 'GET /api/v1/flows/{id}/triggers', values: [flow], status: 200 },
    { operation: 'GET /api/v1/runs/{id}', values: [run], status: 200 },
    { operation: 'GET /api/v1/runs/{id}', values: [failed], status: 200 },
    { operation: 'GET /api/v1/runs/{id}', values: ['absent'], status: 404 },
    { operation: 'GET /api/v1/runs/{id}/input', values: [run], status: 200 },
    { operation: 'GET /api/v1/runs/{id}/document', values: [run], status: 200 },
    { operation: 'POST /api/v1/runs/{id}/cancel', values: [run], status: 409 },
    { operation: 'POST /api/v1/runs/{id}/retry', values: [run], status: 409 },
    { operation: 'POST /api/v1/runs/{id}/retry', values: [failed], status: 202 },
    { operation: 'POST /api/v1/runs/{id}/replay', values: [run], status: 202 },
    { operation: 'GET /api/v1/runs/{id}/nodes/{node}/conversation', values: [run, 'agent-1'], status: 200 },
    {
      operation: 'POST /api/v1/runs/{id}/nodes/{node}/replay',
      values: [run, 'agent-1'],
      body: { call: 1 },
      status: 404
    },

    { operation: 'GET /api/v1/runs', query: '?status=waiting', status: 200 },
    { operation: 'GET /api/v1/runs/{id}', values: [waiting], status: 200 },
    { operation: 'POST /api/v1/runs/{id}/wake', values: [waiting], body: { node: 'later' }, status: 200 },
    { operation: 'POST /api/v1/runs/{id}/wake', values: [waiting], body: { node: 'absent' }, status: 409 },
    { operation: 'POST /api/v1/resume/{token}', values: [token], body: { paid: true }, status: 202 },
    { operation: 'POST /api/v1/resume/{token}', values: [token], status: 410 },
    { operation: 'POST /api/v1/resume/{token}', values: ['absent'], status: 404 },
    { operation: 'POST /api/v1/flows/{id}/draft/address', values: [flow], status: 201 },
    { operation: 'POST /api/v1/test-webhook/{token}', values: ['absent'], status: 404 },
    { operation: 'GET /api/v1/approvals', query: '?status=open', status: 200 },
    { operation: 'GET /api/v1/approvals', query: '?cursor=x', status: 422 },
    { operation: 'POST /api/v1/approvals/{id}', values: [approval], body: { choice: 'No' }, status: 422 },
    {
      operation: 'POST /api/v1/approvals/{id}',
      values: [approval],
      body: { choice: 'Approve' },
      status: 200
    },
    {
      operation: 'POST /api/v1/approvals/{id}',
      values: [approval],
      body: { choice: 'Approve' },
      status: 409
    },
    { operation: 'GET /api/v1/approvals/{id}', values: [approval], status: 200 },
    { operation: 'GET /api/v1/approvals/{id}', values: ['absent'], status: 404 },

    { operation: 'GET /api/v1/flows', query: '?recent=3&drafts=true&triggers=true', status: 200 },
    { operation: 'POST /api/v1/flows', body: ordersFlow({ name: 'One more' }), status: 201 },
    { operation: 'POST /api/v1/flows', body: { name: 7, nodes: [{}] }, status: 422 },
    { operation: 'GET /api/v1/flows/{id}', values: [flow], status: 200 },
    { operation: 'PUT /api/v1/flows/{id}', values: [flow], body: ordersFlow({ version: 1 }), status: 200 },
    { operation: 'PUT /api/v1/flows/{id}', values: [flow], body: ordersFlow({ version: 1 }), status: 409 },
    { operation: 'PUT /api/v1/flows/{id}/draft', values: [flow], body: { nodes: [{}] }, status: 200 },
    { operation: 'PUT /api/v1/flows/{id}/draft', values: [flow], body: { nodes: [] }, status: 409 },
    { operation: 'PUT /api/v1/flows/{id}/draft', values: [flow], body: { nodes: 1 }, status: 422 },
    { operation: 'GET /api/v1/flows/{id}/draft', values: [flow], status: 200 },
    { operation: 'GET /api/v1/flows/{id}/draft/changes', values: [flow], status: 200 },
    { operation: 'POST /api/v1/flows/{id}/test', values: [flow], body: { input: ORDER }, status: 422 },
    { operation: 'POST /api/v1/flows/{id}/draft/rehearsal', values: [flow], status: 422 },
    { operation: 'GET /api/v1/flows/{id}/draft/rehearsal', values: [flow], status: 404 },
    {
      operation: 'POST /api/v1/flows/{id}/draft/kept',
      values: [flow],
      body: { because: 'restored' },
      status: 200
    },
    { operation: 'GET /api/v1/flows/{id}/draft/kept', values: [flow], status: 200 },
    { operation: 'GET /api/v1/flows/{id}/draft/kept/{number}', values: [flow, '1'], status: 200 },
    { operation: 'GET /api/v1/flows/{id}/draft/kept/{number}', values: [flow, '9'], status: 404 },
    { operation: 'DELETE /api/v1/flows/{id}/draft', values: [flow], query: '?revision=9', status: 409 },
    { operation: 'DELETE /api/v1/flows/{id}/draft', values: [flow], status: 204 },
    { operation: 'GET /api/v1/flows/{id}/draft', values: [flow], status: 404 },
    { operation: 'GET /api/v1/flows/{id}/draft', values: [flow], query: '?or_none=true', status: 204 },
    {
      operation: 'POST /api/v1/flows/{id}/draft/kept',
      values: [flow],
      body: { because: 'restored' },
      status: 204
    },
    { operation: 'POST /api/v1/flows/{id}/test', values: [flow], body: { input: ORDER }, status: 200 },
    { operation: 'POST /api/v1/flows/{id}/draft/rehearsal', values: [flow], body: { runs: 3 }, status: 202 },
    {
      operation: 'POST /api/v1/flows/{id}/assistant',
      values: [flow],
      body: { connection: 'absent', model: 'large', words: 'More', document: ordersFlow() },
      status: 404
    },
    { operation: 'GET /api/v1/flows/{id}/draft/rehearsal', values: [flow], status: 200 },
    { operation: 'GET /api/v1/runs', query: '?test=true', status: 200 },
    { operation: 'GET /api/v1/flows/{id}/draft/changes', values: [flow], status: 404 },
    { operation: 'POST /api/v1/flows/{id}/publish', values: [flow], status: 404 },
    { operation: 'POST /api/v1/flows/{id}/publish/undo', values: [flow], status: 409 },
    {
      operation: 'POST /api/v1/flows/{id}/draft/restore',
      values: [flow],
      body: { version: 1 },
      status: 200
    },
    {
      operation: 'POST /api/v1/flows/{id}/publish',
      values: [flow],
      body: { name: 'Again', note: 'As it was', revision: 2 },
      status: 200
    },
    { operation: 'GET /api/v1/flows/{id}/versions', values: [flow], query: '?named=true', status: 200 },
    { operation: 'POST /api/v1/flows/{id}/publish/undo', values: [flow], status: 200 },
    { operation: 'GET /api/v1/flows/{id}/versions', values: [flow], query: '?limit=2', status: 200 },
    { operation: 'GET /api/v1/flows/{id}/versions', values: [flow], query: '?cursor=x', status: 422 },
    { operation: 'GET /api/v1/flows/{id}/versions/{version}', values: version, status: 200 },
    { operation: 'POST /api/v1/flows/{id}/versions/{version}/restore', values: version, status: 200 },
    { operation: 'GET /api/v1/flows/{id}/messages', values: [flow], status: 200 },
    { operation: 'GET /api/v1/prices', status: 200 },
    {
      operation: 'PUT /api/v1/prices',
      body: { prices: [{ model: 'mine', input: 0.5, cached: 0, output: 1 }] },
      status: 200
    },
    { operation: 'PUT /api/v1/prices', body: { prices: [{ model: 'mine', input: -1 }] }, status: 422 },
    { operation: 'GET /api/v1/budgets', status: 200 },
    { operation: 'PUT /api/v1/budgets', body: { context: '/', per_month: 50, per_run: 2 }, status: 200 },
    { operation: 'PUT /api/v1/budgets', body: { context: '/absent', per_month: 50 }, status: 404 },
    { operation: 'GET /api/v1/usage', query: '?since=2026-01-01&until=2026-01-31', status: 200 },
    { operation: 'GET /api/v1/usage', query: '?since=2026-02-01&until=2026-01-31', status: 422 },
    {
      operation: 'PUT /api/v1/flows/{id}/messages/{message}/rating',
      values: [flow, 'absent'],
      body: { run_id: 'absent', rating: 'good' },
      status: 404
    },
    { operation: 'GET /api/v1/flows/{id}/sessions', values: [flow], query: '?limit=5', status: 200 },
    {
      operation: 'GET /api/v1/flows/{id}/sessions/export',
      values: [flow],
      query: '?session=none',
      status: 200
    },
    {
      operation: 'PUT /api/v1/flows/{id}/sessions',
      values: [flow],
      query: '?session=none',
      body: { title: 'Ann' },
      status: 204
    },
    { operation: 'DELETE /api/v1/flows/{id}/sessions', values: [flow], query: '?session=none', status: 200 },
    { operation: 'GET /api/v1/flows/{id}/nodes/{node}/output', values: [flow, 'parser-1'], status: 200 },
    { operation: 'GET /api/v1/flows/{id}/nodes/{node}/output', values: [flow, 'absent'], status: 404 },
    {
      operation: 'GET /api/v1/flows/{id}/nodes/{node}/output',
      values: [flow, 'absent'],
      query: '?or_none=true',
      status: 204
    },
    { operation: 'POST /api/v1/flows/{id}/nodes/{node}/run', values: [flow, 'parser-1'], status: 200 },
    { operation: 'POST /api/v1/flows/{id}/nodes/{node}/run', values: [flow, 'absent'], status: 404 },
    { operation: 'POST /api/v1/flows/{id}/nodes/{node}/look', values: [flow, 'parser-1'], status: 409 },
    {
      operation: 'PUT /api/v1/flows/{id}/pins/{node}',
      values: [flow, 'parser-1'],
      body: { outputs: { parsed_text: 'x' } },
      status: 200
    },
    { operation: 'PUT /api/v1/flows/{id}/pins/{node}', values: [flow, 'parser-1'], body: {}, status: 422 },
    { operation: 'GET /api/v1/flows/{id}/pins', values: [flow], status: 200 },
    { operation: 'POST /api/v1/flows/{id}/test', values: [flow], body: { node: 'parser-1' }, status: 200 },
    { operation: 'POST /api/v1/flows/{id}/test', values: [flow], body: { node: 'absent' }, status: 404 },
    { operation: 'DELETE /api/v1/flows/{id}/pins/{node}', values: [flow, 'parser-1'], status: 204 },
    { operation: 'POST /api/v1/files', query: '?filename=a.json', body: { a: 1 }, status: 201 },
    { operation: 'POST /api/v1/files', query: '?context=/absent', status: 404 },
    { operation: 'GET /api/v1/files/{id}', values: [file], status: 200 },
    { operation: 'GET /api/v1/files/{id}', values: ['absent'], status: 404 },
    { operation: 'PUT /api/v1/kept/value', values: [], query: '?key=a', body: { value: [1] }, status: 200 },
    { operation: 'PUT /api/v1/kept/value', values: [], query: '?key=a', body: {}, status: 422 },
    { operation: 'GET /api/v1/kept/value', values: [], query: '?key=a', status: 200 },
    { operation: 'GET /api/v1/kept/value', values: [], query: '?key=b', status: 404 },
    { operation: 'GET /api/v1/kept', values: [], status: 200 },
    { operation: 'DELETE /api/v1/kept/value', values: [], query: '?key=a', status: 204 },
    { operation: 'POST /api/v1/flows/{id}/chat', values: [chat], body: { text: 'Hello' }, status: 202 },
    { operation: 'POST /api/v1/flows/{id}/send', values: [flow], body: { body: '{}' }, status: 200 },
    { operation: 'POST /api/v1/flows/{id}/pause', values: [flow], body: { mode: 'refuse' }, status: 200 },
    { operation: 'POST /api/v1/webhook/{flow}', values: [flow], status: 503 },
    { operation: 'POST /api/v1/flows/{id}/pause', values: [flow], body: { mode: 'hold' }, status: 200 },
    { operation: 'POST /api/v1/run/{flow}', values: [flow], status: 202 },
    { operation: 'POST /api/v1/flows/{id}/resume', values: [flow], status: 200 },
    { operation: 'POST /api/v1/flows/{id}/slug', values: [flow], body: { slug: 'moved' }, status: 200 },
    { operation: 'POST /api/v1/flows/{id}/slug', values: [flow], body: { slug: 'orders' }, status: 409 },
    { operation: 'POST /api/v1/flows/{id}/slug', values: [flow], body: { slug: 'No slug' }, status: 422 },
    { operation: 'POST /v1/webhook/{flow}', values: ['orders-again'], body: [1], status: 202 },
    { operation: 'GET /api/v1/flows/{id}/aliases', values: [flow], status: 200 },
    {
      operation: 'DELETE /api/v1/flows/{id}/aliases/{slug}',
      values: [flow, 'orders-again'],
      status: 204
    },
    {
      operation: 'DELETE /api/v1/flows/{id}/aliases/{slug}',
      values: [flow, 'orders-again'],
      status: 404
    },
    { operation: 'DELETE /api/v1/flows/{id}', values: [flow], status: 204 },
    { operation: 'GET /api/v1/flows', query: '?deleted=true', status: 200 },
    { operation: 'POST /api/v1/flows/{id}/undelete', values: [flow], status: 200 },
    { operation: 'DELETE /api/v1/flows/{id}', values: [flow], query: '?permanent=true', status: 409 },
    {
      operation: 'POST /api/v1/flows/bulk',
      body: { action: 'tag', tags: ['shop'], ids: [flow, 'absent'] },
      status: 200
    },
    { operation: 'POST /api/v1/flows/bulk', body: { action: 'move', ids: [flow] }, status: 422 },

    { operation: 'GET /api/v1/components', query: '?context=/', status: 200 },
    {
      operation: 'POST /api/v1/components/{type}/inputs',
      values: ['prompt'],
      body: { fields: { template: '{a} and {b}' } },
      status: 200
    },
    { operation: 'GET /api/v1/contexts', status: 200 },
    { operation: 'POST /api/v1/contexts', body: { name: 'support', limits: { rate_limit: 5 } }, status: 201 },
    { operation: 'GET /api/v1/contexts/explain', query: '?kind=component&name=parser', status: 200 },
    { operation: 'GET /api/v1/contexts/explain', query: '?kind=variable&name=region', status: 200 },
    { operation: 'GET /api/v1/contexts/{context}', values: [context], status: 200 },
    {
      operation: 'PATCH /api/v1/contexts/{context}',
      values: [context],
      body: { name: 'trade' },
      status: 200
    },
    { operation: 'DELETE /api/v1/contexts/{context}', values: [context], status: 204 },

    { operation: 'GET /api/v1/connections', status: 200 },
    { operation: 'POST /api/v1/connections', body: CONNECTION, status: 201 },
    { operation: 'POST /api/v1/connections', body: CONNECTION, status: 409 },
    { operation: 'GET /api/v1/connections/kinds', status: 200 },
    { operation: 'GET /api/v1/connections/deleted', status: 200 },
    { operation: 'POST /api/v1/connections/{id}/undelete', values: ['absent'], status: 404 },
    { operation: 'GET /api/v1/connections/presets', status: 200 },
    { operation: 'GET /api/v1/connections/visible', query: '?context=/', status: 200 },
    { operation: 'GET /api/v1/connections/visible', query: '?context=/absent', status: 404 },
    ...besideFlowCalls(flow, run),
    ...collectionCalls(collection),
    { operation: 'GET /api/v1/connections/tables', query: '?connection=absent', status: 404 },
    { operation: 'GET /api/v1/connections/models', query: '?connection=absent', status: 404 },
    { operation: 'GET /api/v1/connections/uses', status: 200 },
    { operation: 'GET /api/v1/connections/uses', query: '?flow=absent', status: 404 },
    { operation: 'GET /api/v1/connections/{id}', values: [connection], status: 200 },
    { operation: 'GET /api/v1/connections/{id}', values: ['absent'], status: 404 },
    {
      operation: 'PUT /api/v1/connections/{id}',
      values: [connection],
      body: { ...CONNECTION, name: 'b' },
      status: 200
    },
    { operation: 'POST /api/v1/connections/{id}/test', values: [connection], status: 200 },
    { operation: 'POST /api/v1/connections/{id}/sign-in', values: [oauth], status: 200 },
    { operation: 'POST /api/v1/connections/{id}/sign-in', values: [connection], status: 409 },
    { operation: 'POST /api/v1/connections/{id}/test', values: ['absent'], status: 404 },
    { operation: 'GET /api/v1/connections/{id}/document', values: [connection], status: 404 },
    {
      operation: 'PUT /api/v1/connections/{id}/document',
      values: [connection],
      body: { openapi: '9' },
      status: 422
    },
    { operation: 'PUT /api/v1/connections/{id}/document', values: [connection], body: pets(), status: 200 },
    { operation: 'GET /api/v1/connections/{id}/document', values: [connection], status: 200 },
    {
      operation: 'GET /api/v1/connections/{id}/operations',
      values: [connection],
      query: '?q=pet&limit=2',
      status: 200
    },
    { operation: 'GET /api/v1/connections/{id}/operations', values: ['absent'], status: 404 },
    { operation: 'GET /api/v1/connections/operations', query: '?context=/&q=pet', status: 200 },
    { operation: 'GET /api/v1/connections/operations', query: '?context=/absent', status: 404 },
    { operation: 'DELETE /api/v1/connections/{id}/document', values: [connection], status: 204 },
    { operation: 'DELETE /api/v1/connections/{id}/document', values: [connection], status: 404 },
    { operation: 'DELETE /api/v1/connections/{id}', values: [connection], status: 204 },

    { operation: 'GET /api/v1/pull', query: '?context=/&prefix=ord', status: 200 },
    { operation: 'GET /api/v1/pull', query: '?context=/absent', status: 404 },
    {
      operation: 'POST /api/v1/push',
      query: '?dry_run=true',
      body: { flows: [{ slug: 'broken', nodes: [{ id: 'a', type: 'absent' }] }] },
      status: 200
    },
    {
      operation: 'POST /api/v1/push',
      body: {
        context: '/pushed',
        flows: [{ ...ordersFlow(), slug: 'pushed-orders', context: '/pushed' }],
        contexts: [{ path: '/pushed', variables: { region: 'eu' }, limits: { rate_limit: 60 } }],
        connections: [{ name: 'pushed', kind: 'http', settings: { base_url: 'https://shop.example' } }]
      },
      status: 200
    },
    { operation: 'POST /api/v1/push', body: { flows: [{ slug: 'broken' }] }, status: 422 },
    { operation: 'POST /api/v1/push', body: { flows: [], plan: 'another' }, status: 409 },
    { operation: 'POST /api/v1/import', query: '?dry_run=true', body: ordersFlow(), status: 200 },
    { operation: 'POST /api/v1/import', body: ordersFlow(), status: 201 },
    { operation: 'POST /api/v1/import', body: { a: 1 }, status: 422 },
    { operation: 'POST /api/v1/import', query: '?context=/absent', body: {}, status: 404 },

    { operation: 'GET /api/v1/keys', status: 200 },
    { operation: 'POST /api/v1/keys', body: { name: 'shop' }, status: 201 },
    { operation: 'DELETE /api/v1/keys/{id}', values: [key], status: 204 }
  ]
}
