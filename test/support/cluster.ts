import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { ApiClient, FlowBody } from './api-client.ts'
import { CHILD_KEY, type ChildService, spawnService } from './child-service.ts'
import { pluginPaths } from './service.ts'

export interface Member {
  readonly process: ChildService
  readonly client: ApiClient
}

/** Processes that share one database, each as an operator would start it. */
export interface Cluster {
  start(role: 'web' | 'worker', env?: Readonly<Record<string, string>>): Promise<Member>
}

export function clusterOn(test: TestContext, url: string, plugins: readonly string[] = []): Cluster {
  return {
    async start(role, env = {}) {
      const shared = { DATABASE_URL: url, MILLRACE_ROLE: role, MILLRACE_PLUGINS: pluginPaths(plugins) }
      const process = await spawnService(test, { env: { MILLRACE_API_KEY: CHILD_KEY, ...shared, ...env } })
      return { process, client: await process.client(CHILD_KEY) }
    }
  }
}

/**
 * Looks at a process until it has brought in what another one saved. The save was answered when all had it, or after a
 * second: one that has stood still for longer brings it in by itself.
 */
export async function comesTo<T>(look: () => Promise<T>, expected: T): Promise<void> {
  const patience = AbortSignal.timeout(30_000)
  let seen = await look()
  while (seen !== expected && !patience.aborted) seen = await look()
  assert.equal(seen, expected)
}

/** Creates a flow at one process, and resolves when the other one knows it too. */
export async function createAtBoth(
  [one, other]: readonly [ApiClient, ApiClient],
  document: Readonly<Record<string, unknown>>
): Promise<FlowBody> {
  const flow = await one.createFlow(document)
  await comesTo(async () => (await other.get(`/api/v1/flows/${flow.id}`)).status, 200)
  return flow
}
