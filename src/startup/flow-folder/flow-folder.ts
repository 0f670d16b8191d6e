import { createHash } from 'node:crypto'
import { type FSWatcher, watch } from 'node:fs'
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../clock.ts'
import { MillraceError, messageOf } from '../../errors.ts'
import { type FileFault, type ReadFolder, readFolder } from '../../flow-files/folder.ts'
import type { Pusher, PushOrder } from '../../library/push/push-order.ts'
import type { Pushes } from '../../library/push/pushes.ts'
import { readFlowFolder } from './read-flow-folder.ts'

interface FlowFolderDeps {
  readonly folder: string
  readonly pushes: Pick<Pushes, 'plan' | 'push'>
  readonly clock: Pick<Clock, 'startTimer' | 'now'>
  readonly log: Pick<FastifyBaseLogger, 'info' | 'error' | 'warn'>
}

/** Editors write a file in several steps, and a checkout changes many. */
const SETTLED_MS = 100
/** Some disks tell nobody of changes, those of networks and of containers above all. */
const LOOK_EVERY_MS = 10_000

/**
 * A flow that is deleted and made anew is another one: its runs, what it keeps and what it has seen stay with the first. A checkout takes files
 * away for a moment, and a volume may be mounted, or a repository be cloned, only after the start. So where flows would go, the folder must
 * have been the same for so long.
 */
const SAME_FOR_MS = 10_000
const NOTHING_LACKS = { digest: '', since: 0 }

/** Whoever sets variables of the service may do everything. */
const OPERATOR: Pusher = {
  knows: () => true,
  author: 'MILLRACE_FLOWS',
  mayTake: () => true,
  canSee: () => true,
  mayPut: () => undefined,
  mayChangeContexts: true,
  administers: () => true,
  mayTrust: true
}

/** Flows that come from a folder of files: at the start, and whenever a file changes. Where one is broken all stays as it was. */
export class FlowFolder {
  readonly #deps: FlowFolderDeps
  #watcher: FSWatcher | undefined
  #timer: { stop(): void } | undefined
  #last: Promise<void> = Promise.resolve()
  /** Of what was read last, so that nothing is said twice. */
  #digest = ''
  /** Of a folder that is without files of flows that are there, and since when it is. */
  #lacking = NOTHING_LACKS
  #isStopped = false

  constructor(deps: FlowFolderDeps) {
    this.#deps = deps
  }

  /** Rejects where the folder itself cannot be read; a broken file is told in the log. */
  async start(): Promise<void> {
    const { folder } = this.#deps
    try {
      await readFlowFolder(folder)
    } catch (error) {
      throw new MillraceError(
        'config_invalid',
        `MILLRACE_FLOWS names a folder that cannot be read: ${messageOf(error)}.`
      )
    }
    this.#watch()
    await this.#look()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#watcher?.close()
    this.#timer?.stop()
    await this.#last
  }

  #watch(): void {
    const { folder, log } = this.#deps
    try {
      this.#watcher = watch(folder, { recursive: true }, () => this.#lookIn(SETTLED_MS))
      this.#watcher.on('error', (error) =>
        log.warn({ err: error }, 'the folder of flows is polled, since its changes are not reported')
      )
    } catch (error) {
      log.warn({ err: error }, 'the folder of flows is polled, since its changes are not reported')
    }
  }

  #lookIn(ms: number): void {
    if (this.#isStopped) return
    this.#timer?.stop()
    this.#timer = this.#deps.clock.startTimer(ms, () => void this.#look())
  }

  #look(): Promise<void> {
    this.#last = this.#last.then(() => this.#bringIn()).then(() => this.#lookIn(LOOK_EVERY_MS))
    return this.#last
  }

  /** What it is about is told in the log; the service goes on with what it has. */
  async #bringIn(): Promise<void> {
    const { folder, log, pushes } = this.#deps
    try {
      const { files, faults } = await readFlowFolder(folder)
      const digest = createHash('sha256')
        .update(JSON.stringify([files, faults]))
        .digest('base64')
      if (digest === this.#digest) {
        this.#lacking = NOTHING_LACKS
        return
      }
      const read = readFolder(files)
      const broken = [...faults, ...read.faults]
      if (broken.length === 0) {
        const order = orderOf(read)
        if (await this.#mustWait(order, digest)) return
        const { plan } = await pushes.push(order, OPERATOR).catch((error) => {
          if (error instanceof MillraceError && error.code === 'push_invalid')
            broken.push(...placed(error, read))
          else throw error
          return { plan: null }
        })
        if (plan !== null)
          log.info({ flows: plan.flows.length }, 'the flows are those of the folder MILLRACE_FLOWS')
      }
      this.#digest = digest
      for (const { file, line, column, message } of broken)
        log.error({ file, line, column }, `MILLRACE_FLOWS: ${file}:${line}:${column}: ${message}`)
      if (broken.length > 0) log.error('MILLRACE_FLOWS: nothing was changed, until the files are mended.')
    } catch (error) {
      // Such as a store that cannot be written at the moment: it is tried again.
      log.error({ err: error }, `bringing in the folder of flows failed: ${messageOf(error)}`)
    }
  }

  /** Whether flows would go that may be back in a moment. */
  async #mustWait(order: PushOrder, digest: string): Promise<boolean> {
    const { pushes, clock, log } = this.#deps
    const { flows } = await pushes.plan(order, OPERATOR)
    const going = flows.filter(({ action }) => action === 'delete').map(({ slug }) => slug)
    if (going.length === 0) return false
    if (this.#lacking.digest !== digest) {
      this.#lacking = { digest, since: clock.now() }
      log.warn(
        { flows: going },
        `MILLRACE_FLOWS: files of ${going.length} flows are gone. These are deleted, and what else has changed is brought in, when the folder has stayed as it is for ${SAME_FOR_MS / 1000} seconds.`
      )
    }
    return clock.now() - this.#lacking.since < SAME_FOR_MS
  }
}

function orderOf({ flows, contexts, connections }: ReadFolder): PushOrder {
  return {
    scope: { context: '/', prefix: '' },
    flows: JSON.parse(JSON.stringify(flows)),
    contexts: contexts.map(({ path, variables, default_auth, limits }) => ({
      path,
      variables: variables as PushOrder['contexts'][number]['variables'],
      settings: {
        ...plain(limits),
        ...(default_auth === null ? {} : { default_auth })
      } as PushOrder['contexts'][number]['settings']
    })),
    connections: connections.map((each) => ({ ...each, settings: plain(each.settings) })),
    // Only what came from a file before.
    isDeleting: true,
    changesSettings: true,
    origin: 'file'
  }
}

/** Numbers as JavaScript has them. */
function plain<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value))
}

function placed({ extras }: MillraceError, { placeOf }: ReadFolder): FileFault[] {
  return (extras.errors ?? []).map(({ path, message }) => {
    return { ...(placeOf(path) ?? { file: '.', line: 1, column: 1 }), message }
  })
}
