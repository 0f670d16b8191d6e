import { readConfig } from './config.ts'
import type { ServiceConfig } from './service-options.ts'

/** What an operator has set, as people of the page are told. */
interface ToldSetting {
  /** The variable that sets it. */
  readonly name: string
  /** Null is no limit, or none. Sizes are in bytes. */
  readonly value: number | string | readonly string[] | null
  readonly isDefault: boolean
}

type Told = readonly (readonly [name: string, value: ToldSetting['value']])[]

const DAY_MS = 86_400_000

/** Nothing of it is a secret: the address of a database, which holds a password, is left out. */
export function toldSettings(config: ServiceConfig): ToldSetting[] {
  const usual = new Map(settingsOf(readConfig({}, () => '')))
  return settingsOf(config).map(([name, value]) => ({
    name,
    value,
    isDefault: JSON.stringify(value) === JSON.stringify(usual.get(name))
  }))
}

function settingsOf(config: ServiceConfig): Told {
  const { retention, outputLimits, files, database } = config
  const { maxAgeMs } = retention
  return [
    ['MILLRACE_RETENTION_DAYS', maxAgeMs === null ? null : maxAgeMs / DAY_MS],
    ['MILLRACE_RETENTION_RUNS', retention.maxRuns],
    ['DATABASE_URL', database === null ? 'embedded' : 'postgres'],
    ['MILLRACE_HOME', config.home],
    ['MILLRACE_FILES', files === null ? null : files.url],
    ['MILLRACE_EGRESS_ALLOW', config.egressAllow],
    ['MILLRACE_BODY_LIMIT', config.bodyLimit],
    ['MILLRACE_FILE_LIMIT', config.fileLimit],
    ['MILLRACE_STEP_OUTPUT_LIMIT', outputLimits.step],
    ['MILLRACE_RUN_OUTPUT_LIMIT', outputLimits.run],
    ['MILLRACE_BACKLOG_LIMIT', config.backlogLimit],
    ['MILLRACE_CONCURRENCY', config.concurrency]
  ]
}
