import { EXAMPLE_FLOW } from './flows/document/example-flow.ts'
import type { ServiceDeps } from './http/service-deps.ts'
import { operatorsKey } from './keys/sign-in-links.ts'
import { isSuspect } from './runs/execute/quarantine.ts'
import { createParts } from './startup/create-parts.ts'
import type { ServiceOptions } from './startup/service-options.ts'
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

export interface Welcome {
  /** Whether no start before this one has served. */
  readonly isFirstStart: boolean
  /** The key of a new store that the configuration gave none. */
  readonly generatedKey: string | null
  /** At the first start: what signs its operator in to the page, once. */
  readonly signInToken: string | null
}

const SAVE_KEY_USES_MS = 30_000
/** SIGTERM must end within 10 s; what has not reached a checkpoint by then is repeated by the next start. */
const DRAIN_WITHIN_MS = 8_000
const LEAVE_WITHIN_MS = 1_000
/** Pools of connections take their leave of databases within this time, or go without. */
const CLOSE_WITHIN_MS = 500

export async function createService(options: ServiceOptions): Promise<Service> {
  const parts = await createParts(options)
  const { store, library, contexts, connections, keys, sessions, signInLinks, runs, retention, clock } = parts
  const { stopping, onError, joined } = parts
  const save = () => Promise.all([keys.saveUses(), library.aliasCalls.save()])
  const saveUses = () => save().catch((error) => onError(error, 'saving when keys and aliases were used'))
  let timer = startSaving()

  function startSaving(): { stop(): void } {
    return clock.startTimer(SAVE_KEY_USES_MS, () => {
      timer = startSaving()
      void saveUses()
    })
  }

  /** One process at a time: of two that start on a new store, the second has to find what the first one made. */
  function oneAtATime<R>(work: () => Promise<R>): Promise<R> {
    return isSharedStore(store) ? store.processes.inTurn(work) : work()
  }

  async function begin(): Promise<void> {
    await oneAtATime(prepareStore)
    // Before the first request: what it starts has to queue up behind what an earlier process left.
    await runs.resume()
    if (isSuspect(store.uncleanEnds) && runs.backlog > 0) {
      options.log.warn(
        { processes: store.uncleanEnds, runs: runs.backlog },
        'The processes before this one did not stop in order. Steps of the runs that they left are written down before they begin: one that kills the process is found out and fails.'
      )
    }
    await joined?.membership.start()
    retention.start()
    // Last: what it starts finds everything as it is.
    parts.triggers.start()
  }

  async function prepareStore(): Promise<void> {
    const { apiKey, role } = options.config
    await contexts.load()
    await connections.load()
    await (joined === undefined ? library.load() : joined.peers.catchUp())
    await keys.load()
    await sessions.refresh()
    if (role === 'worker') return
    // The first key is for the start that can show it. What another process may meet at once is there from the beginning.
    if (hasServed() && apiKey !== null) await keys.configure(apiKey)
    if (store.isNew) await library.create(EXAMPLE_FLOW)
  }

  /** Nothing but a start that served, or an operator, makes the first key. */
  function hasServed(): boolean {
    return keys.list().length > 0
  }

  async function welcome(show?: (welcome: Welcome) => unknown): Promise<Welcome> {
    const again = { isFirstStart: false, generatedKey: null, signInToken: null }
    if (options.config.role === 'worker' || hasServed()) return again
    return oneAtATime(async () => {
      const { apiKey } = options.config
      await keys.refresh()
      const isFirstStart = !hasServed()
      if (apiKey !== null) await keys.configure(apiKey)
      if (!isFirstStart) return again
      const generatedKey = apiKey === null ? await keys.createFirst() : null
      const first = { isFirstStart, generatedKey, signInToken: await offerSignIn() }
      await shown(first, show)
      return first
    })
  }

  async function shown(first: Welcome, show: ((welcome: Welcome) => unknown) | undefined): Promise<void> {
    try {
      await show?.(first)
    } catch (error) {
      // A key that nobody has seen would lock everybody out.
      if (first.generatedKey !== null) await keys.remove(keys.list()[0]!.id)
      throw error
    }
  }

  async function offerSignIn(): Promise<string | null> {
    const key = operatorsKey(keys.list(), clock.now())
    return key === undefined ? null : signInLinks.offer(key.id)
  }

  async function drain(): Promise<void> {
    stopping.isStopping = true
    timer.stop()
    // A step may wait for nothing that keeps the process alive, which would then end here, before it has closed anything.
    const awake = setInterval(() => {}, DRAIN_WITHIN_MS)
    const stopped = parts.triggers.stop().catch((error) => onError(error, 'stopping triggers'))
    await Promise.race([Promise.all([stopped, runs.stop(), retention.stop()]), clock.after(DRAIN_WITHIN_MS)])
    clearInterval(awake)
  }

  async function end(): Promise<void> {
    timer.stop()
    // A database that does not answer must not hold up the stop; the others notice by themselves.
    const leaving = leaveAndClose()
    await (joined === undefined ? leaving : Promise.race([leaving, clock.after(LEAVE_WITHIN_MS)]))
  }

  async function leaveAndClose(): Promise<void> {
    // First what others wait for: there is little time.
    await joined?.membership.leave()
    // A peer that does not take its leave must not hold up the stop either.
    const closing = Promise.all([
      parts.resources.close(),
      parts.versionResources.close(),
      parts.sandbox.close()
    ])
    await Promise.race([closing, clock.after(CLOSE_WITHIN_MS)])
    await parts.egress.close()
    await saveUses()
    await store.close()
  }

  return { deps: parts, begin, welcome, drain, end }
}
