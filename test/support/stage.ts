import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cleanUp, type Lifetime } from './clean-up.ts'
import type { ServicePorts } from './service-ports.ts'

// Apart from service.ts: to load the service takes 0.8 s of a processor, and files that start it in a process of its own
// have no use for it.

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** What the services of this process stand on; see stories-on-postgres.ts and browser.ts. */
export const stage: {
  /** Absent is the embedded store. */
  databaseOf?: (home: string) => Promise<string>
  /** Absent is any free port. */
  ports?: ServicePorts
} = {}

/** What the stage adds to the variables of a service. */
export async function stageEnvironment(home: string): Promise<Record<string, string>> {
  const url = await stage.databaseOf?.(home)
  return url === undefined ? {} : { DATABASE_URL: url }
}

export function pluginPaths(names: readonly string[]): string {
  return names.map((name) => join(ROOT, 'test', 'plugins', name)).join(',')
}

export async function temporaryFolder(test: Lifetime): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-test-'))
  cleanUp(test, () => rm(folder, { recursive: true, force: true }))
  return folder
}
