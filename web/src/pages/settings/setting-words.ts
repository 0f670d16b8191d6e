import type { ToldSetting } from '../../api/service.ts'
import { counted } from '../../design/counted.ts'

interface Told {
  readonly title: string
  readonly help: string
  readonly words: (value: ToldSetting['value']) => string
}

const size = (none: string) => (value: ToldSetting['value']) =>
  typeof value === 'number' ? binarySize(value) : none
const number = (none: string) => (value: ToldSetting['value']) =>
  typeof value === 'number' ? value.toLocaleString() : none

const TOLD: Readonly<Record<string, Told>> = {
  MILLRACE_RETENTION_DAYS: {
    title: 'Runs are kept',
    help: 'Older ones are removed, with their files.',
    words: (value) => (typeof value === 'number' ? counted(value, 'day') : 'For ever')
  },
  MILLRACE_RETENTION_RUNS: {
    title: 'Runs at most',
    help: 'Beyond that, the oldest are removed first.',
    words: number('Any number')
  },
  DATABASE_URL: {
    title: 'Database',
    help: 'Where flows, runs and connections are.',
    words: (value) => (value === 'postgres' ? 'PostgreSQL' : 'Embedded (SQLite)')
  },
  MILLRACE_HOME: {
    title: 'Folder',
    help: 'Of the embedded store and the generated secrets.',
    words: (value) => String(value)
  },
  MILLRACE_FILES: {
    title: 'Files',
    help: 'Where the bytes of files are.',
    words: (value) => (value === null ? 'With the store' : String(value))
  },
  MILLRACE_EGRESS_ALLOW: {
    title: 'Steps may reach',
    help: 'Besides public addresses, and those of connections that administrators have saved.',
    words: (value) => (Array.isArray(value) && value.length > 0 ? value.join(', ') : 'Nothing else')
  },
  MILLRACE_BODY_LIMIT: { title: 'Largest body', help: 'Of a webhook, without files.', words: size('None') },
  MILLRACE_FILE_LIMIT: { title: 'Largest file', help: 'Or a body that is one.', words: size('None') },
  MILLRACE_STEP_OUTPUT_LIMIT: {
    title: 'Largest output of a step',
    help: 'Contexts can set their own.',
    words: size('None')
  },
  MILLRACE_RUN_OUTPUT_LIMIT: {
    title: 'Outputs of a run together',
    help: 'Contexts can set their own.',
    words: size('None')
  },
  MILLRACE_BACKLOG_LIMIT: {
    title: 'Unfinished runs',
    help: 'Beyond that, callers are asked to come back later.',
    words: number('None')
  },
  MILLRACE_CONCURRENCY: {
    title: 'Runs at a time',
    help: 'Of all flows, in each process.',
    words: number('None')
  }
}

/** A setting as people read it; one that is newer than the page by its name. */
export function settingWords({ name, value }: Pick<ToldSetting, 'name' | 'value'>) {
  const told = Object.hasOwn(TOLD, name) ? TOLD[name] : undefined
  return told === undefined
    ? { title: name, help: '', text: JSON.stringify(value) }
    : { title: told.title, help: told.help, text: told.words(value) }
}

/** As operators write them: a `1mb` is 1,048,576 bytes. */
function binarySize(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB']
  let [count, unit] = [bytes, 0]
  while (count >= 1024 && unit < units.length - 1) [count, unit] = [count / 1024, unit + 1]
  return `${Number(count.toFixed(1)).toLocaleString()} ${units[unit]}`
}
