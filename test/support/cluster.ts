import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { ApiClient, FlowBody } from './api-client.ts'
import { CHILD_KEY, type ChildService, spawnService } from './child-service.ts'
import { pluginPaths } from './stage.ts'

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

/** A save is answered when all processes have it, and after this time at the latest. */
const TOLD_WITHIN_MS = 990

/**
 * Saves at one process, and looks for it at another. Whoever was answered in time finds it there at once; a process that
 * stood still for longer than a save waits for it brings it in by itself.
 */
export async function broughtIn<Saved, Seen>(
  save: () => Promise<Saved>,
  look: (saved: Saved) => Promise<Seen>,
  expected: Seen
): Promise<Saved> {
  const since = performance.now()
  const saved = await save()
  const isWithAll = performance.now() - since < TOLD_WITHIN_MS
  const patience = AbortSignal.timeout(30_000)
  let seen = await look(saved)
  while (seen !== expected && !isWithAll && !patience.aborted) seen = await look(saved)
  assert.equal(seen, expected)
  return saved
}

/** Creates a flow at one process, where the other one knows it too. */
export function createAtBoth(
  [one, other]: readonly [ApiClient, ApiClient],
  document: Readonly<Record<string, unknown>>
): Promise<FlowBody> {
  return broughtIn(
    () => one.createFlow(document),
    async ({ id }) => (await other.get(`/api/v1/flows/${id}`)).status,
    200
  )
}
