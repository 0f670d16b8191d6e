import type { ChildProcess } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { endChild } from '../child-end.ts'
import { type Service, spawnService } from '../service-process.ts'
import type { Workspace } from '../workspace.ts'
import type { MemberName } from './blow-plan.ts'
import { LEDGER_PLUGIN } from './flows-of-drill.ts'

export interface MembersOptions {
  readonly workspace: Workspace
  readonly databaseUrl: string
  readonly ledger: string
  readonly ports: Readonly<Record<MemberName, number>>
  /** Whether a process that started between these moments may have found no database. */
  readonly mayHaveMissedIt: (since: number) => boolean
}

const START_AGAIN_MS = 100

/** The processes of a cluster, and what starts them again. */
export class ClusterMembers {
  readonly #options: MembersOptions
  readonly #home: string
  readonly #children = new Map<MemberName, ChildProcess>()
  readonly #ready = new Set<ChildProcess>()
  /** What each start came to: undefined where it was killed before it was ready. */
  readonly #starts = new Map<MemberName, Promise<Service | undefined>>()
  #isEnding = false
  /** Processes that ended although nobody had killed them. */
  readonly faults: string[] = []

  constructor(options: MembersOptions) {
    this.#options = options
    this.#home = options.workspace.folder('drill-home')
  }

  /** Resolves when it is ready. */
  async start(name: MemberName): Promise<Service> {
    const service = await this.#begin(name)
    if (service === undefined) throw new Error(`${name} was killed while it was started`)
    return service
  }

  /** Resolves when it is dead; `onDeath` is called at that very moment, and then it is started again. */
  async kill(name: MemberName, onDeath: () => void): Promise<void> {
    await endChild(this.#children.get(name)!, 'SIGKILL')
    onDeath()
    this.#begin(name).catch((error: Error) => {
      this.faults.push(`${name} could not be started again: ${error.message}`)
    })
  }

  /** Of a process that lives. */
  nameOf(pid: number | null | undefined): MemberName | undefined {
    return this.#children.entries().find(([, child]) => child.pid === pid && child.signalCode === null)?.[0]
  }

  /** Whether one is ready and lives. */
  hasReady(): boolean {
    return this.#children.values().some((child) => this.#ready.has(child) && child.signalCode === null)
  }

  /** All of them, when all are ready: nobody is killed any more. */
  async settled(): Promise<Service[]> {
    const services = await Promise.all(this.#starts.values())
    this.#isEnding = true
    return services.filter((service) => service !== undefined)
  }

  #begin(name: MemberName): Promise<Service | undefined> {
    const start = this.#startUntilReady(name)
    this.#starts.set(name, start)
    return start
  }

  async #startUntilReady(name: MemberName): Promise<Service | undefined> {
    for (;;) {
      const since = performance.now()
      const { child, ready } = this.#spawn(name)
      try {
        return await ready
      } catch (error) {
        if (child.signalCode === 'SIGKILL') return undefined
        // Without a database it does not start. Whatever runs it tries again.
        if (!this.#options.mayHaveMissedIt(since)) throw error
        await wait(START_AGAIN_MS)
      }
    }
  }

  #spawn(name: MemberName) {
    const { workspace, databaseUrl, ledger, ports } = this.#options
    const { child, ready } = spawnService(workspace, {
      home: this.#home,
      port: ports[name],
      env: {
        DATABASE_URL: databaseUrl,
        MILLRACE_ROLE: name.startsWith('web') ? 'web' : 'worker',
        // Workers tell whom runs wait for where to call.
        MILLRACE_PUBLIC_URL: `http://127.0.0.1:${ports['web-1']}`,
        MILLRACE_PLUGINS: LEDGER_PLUGIN,
        LEDGER_FILE: ledger,
        LEDGER_WRITER: name
      }
    })
    ready.then(
      () => this.#watch(name, child),
      () => {}
    )
    this.#children.set(name, child)
    return { child, ready }
  }

  #watch(name: MemberName, child: ChildProcess): void {
    this.#ready.add(child)
    child.once('exit', (code, signal) => {
      if (signal === 'SIGKILL' || this.#isEnding) return
      this.faults.push(`${name} ended by itself: ${signal ?? `code ${code}`}`)
    })
  }
}
