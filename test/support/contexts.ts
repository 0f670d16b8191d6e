import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { ApiClient } from './api-client.ts'
import type { Lifetime } from './clean-up.ts'
import { type Service, type ServiceOptions, startService, temporaryFolder } from './service.ts'

export interface RegistrationBody {
  readonly kind: string
  readonly name: string
  readonly context: string
  readonly owner: string
  readonly source: string | null
  readonly value?: unknown
  readonly inherited_from?: string | null
}

export interface ContextBody {
  readonly path: string
  readonly name: string
  readonly parent: string | null
  readonly kind: 'code' | 'data'
  readonly id: string | null
  readonly owner: string
  readonly source: string | null
  readonly registers: readonly RegistrationBody[]
  readonly sees: readonly RegistrationBody[]
  readonly flows: readonly { id: string; slug: string }[]
  readonly variables?: Record<string, unknown>
  readonly default_auth?: string | null
  readonly limits?: Record<string, number>
}

/** A service with plugins that only this test has: the text of each, by the name of its file. */
export async function startWith(
  test: Lifetime,
  plugins: Readonly<Record<string, string>>,
  options: ServiceOptions = {}
): Promise<Service> {
  const paths = await pluginFiles(test, plugins)
  return startService(test, { ...options, env: { MILLRACE_PLUGINS: paths, ...options.env } })
}

/** Writes the plugins into a folder; what is returned can be given to MILLRACE_PLUGINS. */
export async function pluginFiles(
  test: Lifetime,
  plugins: Readonly<Record<string, string>>
): Promise<string> {
  const folder = await temporaryFolder(test)
  const paths: string[] = []
  for (const [name, source] of Object.entries(plugins)) {
    paths.push(join(folder, name))
    await writeFile(paths.at(-1)!, source)
  }
  return paths.join(',')
}

/** What the start of a service with these plugins ends with: one line. */
export async function startFailure(
  test: TestContext,
  plugins: Readonly<Record<string, string>>
): Promise<string> {
  let said = ''
  await assert.rejects(startWith(test, plugins), (error: Error & { code: string }) => {
    assert.equal(error.code, 'plugin_failed', error.stack)
    said = error.message
    return true
  })
  assert.ok(!said.includes('\n'), said)
  return said
}

/** For the text of plugins, after `context.`: a component of this type. */
export function component(type: string): string {
  return `component({ type: '${type}', title: 'T', run: () => ({}) })`
}

export async function contextsOf(client: ApiClient, key?: string): Promise<ContextBody[]> {
  const answer = await client.get('/api/v1/contexts', key === undefined ? {} : { key })
  assert.equal(answer.status, 200, answer.text)
  return answer.json<{ contexts: ContextBody[] }>().contexts
}

export async function pathsOf(client: ApiClient, key?: string): Promise<string[]> {
  return (await contextsOf(client, key)).map(({ path }) => path)
}

export async function contextAt(client: ApiClient, path: string): Promise<ContextBody> {
  const found = (await contextsOf(client)).find((context) => context.path === path)
  return found ?? assert.fail(`there is no context ${path}`)
}

export async function makeContext(
  client: ApiClient,
  path: string,
  more: Readonly<Record<string, unknown>> = {}
): Promise<ContextBody> {
  const cut = path.lastIndexOf('/')
  const body = { name: path.slice(cut + 1), parent: path.slice(0, cut) || '/', ...more }
  const answer = await client.post('/api/v1/contexts', body)
  assert.equal(answer.status, 201, answer.text)
  return answer.json<ContextBody>()
}

/** Changes a context by its path. */
export async function changeContext(client: ApiClient, path: string, body: object): Promise<ContextBody> {
  const address = `/api/v1/contexts/${encodeURIComponent(path)}`
  const answer = await client.request('PATCH', address, { body })
  assert.equal(answer.status, 200, answer.text)
  return answer.json<ContextBody>()
}

/** Webhook → one node. The slug follows from the context, so that every context can have one. */
export function flowIn(
  context: string,
  node: Readonly<Record<string, unknown>> = { type: 'parser', fields: { mode: 'Stringify' } },
  webhook: Readonly<Record<string, unknown>> = {}
) {
  const input = node.type === 'chat-output' ? 'text' : 'data'
  return {
    name: `Flow in ${context === '/' ? 'root' : context}`,
    context,
    nodes: [
      { id: 'w', type: 'webhook', fields: webhook },
      { id: 'n', ...node }
    ],
    edges: [{ from: 'w.data', to: `n.${input}` }]
  }
}
