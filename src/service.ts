import { EXAMPLE_FLOW } from './flows/document/example-flow.ts'
import type { ServiceDeps } from './http/service-deps.ts'
import { isSuspect } from './runs/execute/quarantine.ts'
import { createParts, type Parts } from './startup/create-parts.ts'
import type { ServiceOptions } from './startup/service-options.ts'
import { hasServed, NOT_FIRST, type Welcome, welcome } from './startup/welcome.ts'
import { isSharedStore } from './store/shared-store.ts'

/** All parts of Millrace, without a web server: something to put on one, to begin and to end. */
export interface Service {
  readonly deps: ServiceDeps
  /** To be called when all plugins are loaded and before the first request is taken. */
  begin(): Promise<void>
  /**
   * To be called when requests are taken: what is shown once is made by a start that people can reach. `show` is called
   * at the first start; where it fails, the next start is the first one.
   */
  welcome(show?: (welcome: Welcome) => unknown): Promise<Welcome>
  /** Resolves when steps under way have reached a checkpoint, or have had time enough to. */
  drain(): Promise<void>
  /** To be called last, when no request is under way any more. */
  end(): Promise<void>
}

const SAVE_KEY_USES_MS = 30_000
/** SIGTERM must end within 10 s; what has not reached a checkpoint by then is repeated by the next start. */
const DRAIN_WITHIN_MS = 8_000
const LEAVE_WITHIN_MS = 1_000
/** Pools of connections take their leave of databases within this time, or go without. */
const CLOSE_WITHIN_MS = 500

export async function createService(options: ServiceOptions): Promise<Service> {
  return new Lifecycle(await createParts(options), options)
}

/** In which order the parts begin and end. */
class Lifecycle implements Service {
  readonly deps: Parts
  readonly #options: ServiceOptions
  #saving: { stop(): void }

  constructor(parts: Parts, options: ServiceOptions) {
    this.deps = parts
    this.#options = options
    this.#saving = this.#startSaving()
  }

  async begin(): Promise<void> {
    const { store, runs, joined, retention, triggers, flowFolder } = this.deps
    await this.#oneAtATime(() => this.#prepareStore())
    // Before the first request: what it starts has to queue up behind what an earlier process left.
    await runs.resume()
    if (isSuspect(store.uncleanEnds) && runs.backlog > 0) {
      this.#options.log.warn(
        { processes: store.uncleanEnds, runs: runs.backlog },
        'The processes before this one did not stop in order. Steps of the runs that they left are written down before they begin: one that kills the process is found out and fails.'
      )
    }
    await joined?.membership.start()
    await flowFolder?.start()
    retention.start()
    // Last: what it starts finds everything as it is.
    triggers.start()
  }

  async welcome(show?: (welcome: Welcome) => unknown): Promise<Welcome> {
    const { apiKey, role } = this.#options.config
    const { keys, signInLinks, clock } = this.deps
    if (role === 'worker' || hasServed(keys)) return NOT_FIRST
    return this.#oneAtATime(() => welcome({ keys, signInLinks, now: clock.now, apiKey }, show))
  }

  async drain(): Promise<void> {
    const {
      stopping,
      triggers,
      runs,
      rehearsals,
      retention,
      reembedding,
      flowFolder,
      assistant,
      clock,
      onError
    } = this.deps
    stopping.isStopping = true
    assistant.stop()
    this.#saving.stop()
    // A step may wait for nothing that keeps the process alive, which would then end here, before it has closed anything.
    const awake = setInterval(() => {}, DRAIN_WITHIN_MS)
    const stopped = triggers.stop().catch((error) => onError(error, 'stopping triggers'))
    await Promise.race([
      Promise.all([
        stopped,
        rehearsals.stop(),
        runs.stop(),
        reembedding.stop(),
        retention.stop(),
        flowFolder?.stop()
      ]),
      clock.after(DRAIN_WITHIN_MS)
    ])
    clearInterval(awake)
  }

  async end(): Promise<void> {
    const { joined, clock } = this.deps
    this.#saving.stop()
    // A database that does not answer must not hold up the stop; the others notice by themselves.
    const leaving = this.#leaveAndClose()
    await (joined === undefined ? leaving : Promise.race([leaving, clock.after(LEAVE_WITHIN_MS)]))
  }

  async #prepareStore(): Promise<void> {
    const { store, contexts, connections, apiDocuments, library, keys, sessions, joined } = this.deps
    const { apiKey, role } = this.#options.config
    await contexts.load()
    await connections.load()
    await apiDocuments.load()
    await (joined === undefined ? library.load() : joined.peers.catchUp())
    await keys.load()
    await sessions.refresh()
    if (role === 'worker') return
    // The first key is for the start that can show it. What another process may meet at once is there from the beginning.
    if (hasServed(keys) && apiKey !== null) await keys.configure(apiKey)
    if (store.isNew) await library.create(EXAMPLE_FLOW)
  }

  async #leaveAndClose(): Promise<void> {
    const { joined, resources, versionResources, sandbox, documents, knowledgeIndex, egress, store, clock } =
      this.deps
    // First what others wait for: there is little time.
    await joined?.membership.leave()
    // A peer that does not take its leave must not hold up the stop either.
    const parts = [resources, versionResources, sandbox, documents, knowledgeIndex]
    const closing = Promise.all(parts.map((part) => part.close()))
    await Promise.race([closing, clock.after(CLOSE_WITHIN_MS)])
    await egress.close()
    await this.#saveUses()
    await this.deps.spending.save()
    await store.close()
  }

  /** One process at a time: of two that start on a new store, the second has to find what the first one made. */
  #oneAtATime<R>(work: () => Promise<R>): Promise<R> {
    const { store } = this.deps
    return isSharedStore(store) ? store.processes.inTurn(work) : work()
  }

  #startSaving(): { stop(): void } {
    return this.deps.clock.startTimer(SAVE_KEY_USES_MS, () => {
      this.#saving = this.#startSaving()
      void this.#saveUses()
    })
  }

  async #saveUses(): Promise<void> {
    const { keys, library, onError } = this.deps
    try {
      await Promise.all([keys.saveUses(), library.aliasCalls.save()])
    } catch (error) {
      onError(error, 'saving when keys and aliases were used')
    }
  }
}
