import type { TestContext } from 'node:test'
import type { ApiClient } from './api-client.ts'
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
