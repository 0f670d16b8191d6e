import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { serviceProcess } from '../scripts/run-on-pinned-node.mjs'
import { type End, endChild } from './child-end.ts'
import { readSeries } from './prometheus.ts'
import { waitForLine } from './ready-line.ts'
import type { Workspace } from './workspace.ts'

export const ROOT = fileURLToPath(new URL('..', import.meta.url))
export const API_KEY = 'bench-key-0123456789abcdef'

export interface ServiceOptions {
  readonly home: string
  /** None: whichever is free. */
  readonly port?: number
  readonly env?: Readonly<Record<string, string>>
}

export interface Counts {
  readonly backlog: number
  readonly succeeded: number
  readonly failed: number
  readonly cancelled: number
}

/** The service in a process of its own, as an operator runs it. */
export interface Service {
  readonly child: ChildProcess
  readonly url: string
  /** From spawning the process to its ready line. */
  readonly readyAfterMs: number
  counts(): Promise<Counts>
  get(path: string): Promise<unknown>
  /** How many transactions its store has committed. */
  commits(): Promise<number>
  /** Resident memory in bytes, as the system sees it; where that is not told, as the process says itself. */
  memory(): Promise<{ resident: number; peak: number | null }>
  stop(): Promise<End>
  kill(): Promise<End>
}

/** What `npm start` runs: it also sets the process up. It stays the same process. */
const START = ['scripts/start.mjs']
const READY = /Millrace is ready at (http:\/\/\S+)\n/
const START_WITHIN_MS = 60_000

/** Spawns the service; `ready` is awaited by whoever wants it to live that long. */
export function spawnService(workspace: Workspace, options: ServiceOptions) {
  const since = performance.now()
  const child = workspace.spawn(process.execPath, startedInTests() ?? START, {
    cwd: ROOT,
    env: environment(options),
    stdio: ['ignore', 'pipe', 'pipe']
  })
  const ready = waitForLine(child, READY, START_WITHIN_MS).then((url) =>
    serviceAt(url, child, performance.now() - since)
  )
  return { child, ready }
}

/** A drill in `npm test` starts what its other tests start: see scripts/test-service.mjs. */
function startedInTests(): string[] | undefined {
  const { MILLRACE_TEST_SERVICE: file } = process.env
  return file === undefined ? undefined : [...serviceProcess.flags, file]
}

export function startService(workspace: Workspace, options: ServiceOptions): Promise<Service> {
  return spawnService(workspace, options).ready
}

function serviceAt(url: string, child: ChildProcess, readyAfterMs: number): Service {
  const metrics = async () => (await answer(url, '/metrics')).text()
  return {
    child,
    url,
    readyAfterMs,
    counts: async () => readCounts(await metrics()),
    commits: async () => readSeries(await metrics(), 'millrace_commit_seconds_count'),
    get: async (path) => (await answer(url, path)).json(),
    memory: async () => memoryOf(child.pid!) ?? ownMemory(await metrics()),
    stop: () => endChild(child, 'SIGTERM'),
    kill: () => endChild(child, 'SIGKILL')
  }
}

/** Nothing of the caller's own settings may reach a service that is measured. */
function environment({ home, port = 0, env = {} }: ServiceOptions): NodeJS.ProcessEnv {
  const ours = /^(?:MILLRACE_|NODE_OPTIONS$|NODE_TEST_CONTEXT$|NODE_V8_COVERAGE$|DATABASE_URL|HOST$)/
  const inherited = Object.entries(process.env).filter(([name]) => !ours.test(name))
  return {
    ...Object.fromEntries(inherited),
    PORT: String(port),
    LOG_LEVEL: 'warn',
    MILLRACE_HOME: home,
    MILLRACE_API_KEY: API_KEY,
    MILLRACE_BACKLOG_LIMIT: '10000000',
    ...env
  }
}

async function answer(url: string, path: string): Promise<Response> {
  const response = await fetch(url + path, { headers: { 'x-api-key': API_KEY } })
  if (response.ok) return response
  throw new Error(`GET ${path} was answered ${response.status}: ${await response.text()}`)
}

function readCounts(text: string): Counts {
  const ended = (status: string) => readSeries(text, `millrace_runs_total{status="${status}"}`)
  return {
    backlog: readSeries(text, 'millrace_backlog_runs'),
    succeeded: ended('succeeded'),
    failed: ended('failed'),
    cancelled: ended('cancelled')
  }
}

function memoryOf(pid: number): { resident: number; peak: number } | undefined {
  if (process.platform !== 'linux') return undefined
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const kilobytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1])
  return { resident: kilobytes('VmRSS') * 1024, peak: kilobytes('VmHWM') * 1024 }
}

function ownMemory(metrics: string): { resident: number; peak: null } {
  return { resident: readSeries(metrics, 'process_resident_memory_bytes'), peak: null }
}
