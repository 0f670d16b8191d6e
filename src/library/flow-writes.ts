import { InTurn } from '../store/in-turn.ts'
import type { PushResult } from '../store/pushes.ts'
import type { FlowNews } from '../store/shared-store.ts'
import type { NewFlowWithDraft, SaveRefusal, SaveResult, StoredFlow } from '../store/store.ts'
import { flowNotFound } from './flow-refusals.ts'
import type { LibraryDeps } from './library-deps.ts'
import type { LibraryPeers } from './library-peers.ts'
import { LiveFlow } from './live-flow.ts'
import type { LiveFlows } from './live-flows.ts'

/** A flow that begins as a draft, without what the library knows of it. */
export type FlowWithDraft = Omit<NewFlowWithDraft, 'id' | 'createdAt' | 'isContextMade'>

type PushRefusal = Extract<PushResult, { won: false }>

interface FlowWritesDeps {
  readonly flows: LiveFlows
  readonly peers: LibraryPeers | undefined
  readonly asLive: (stored: StoredFlow) => LiveFlow
  /** The same, in turns where it is long. */
  readonly readLive: (stored: StoredFlow) => LiveFlow | Promise<LiveFlow>
}

/** Keeps the live flows in memory as the store has them. */
export class FlowWrites {
  readonly #deps: FlowWritesDeps
  /**
   * What is saved here and what is brought in take turns, each from its first word with the store until it is live:
   * answers come in any order. What was read before a save, and arrives after it, would otherwise undo it; and the
   * answer to a save that arrives late would undo what was saved since, by another process or here. A flow that was
   * paused in the store and not here could not be resumed.
   */
  readonly #inTurn = new InTurn().do
  /** Up to where the saves of all processes are brought in. */
  #revision = 0

  constructor(deps: FlowWritesDeps) {
    this.#deps = deps
  }

  load(stored: readonly StoredFlow[]): void {
    for (const flow of stored) this.#deps.flows.load(this.#deps.asLive(flow))
  }

  bringIn(readSince: (revision: number) => Promise<FlowNews>): Promise<void> {
    const { flows } = this.#deps
    return this.#inTurn(async () => {
      const news = await readSince(this.#revision)
      for (const id of news.removed) flows.remove(id)
      for (const stored of news.live) {
        if (flows.get(stored.id)?.isStill(stored) !== true) await this.#put(stored)
      }
      this.#revision = news.revision
    })
  }

  /** Resolves to the flow as it is live now, or to why the store has refused it. */
  async save(write: () => Promise<SaveResult>): Promise<LiveFlow | SaveRefusal> {
    const written = await this.#inTurn(async () => {
      const result = await write()
      return result.won ? this.#put(result.flow) : result.because
    })
    if (written instanceof LiveFlow) await this.#deps.peers?.confirmed()
    return written
  }

  /** Resolves to the flows as they are live now, or to why the store has refused one, and with it all. */
  async createAll(
    flows: readonly FlowWithDraft[],
    { store, newId, now, isMade }: Pick<LibraryDeps, 'store' | 'newId' | 'now' | 'isMade'>
  ): Promise<readonly LiveFlow[] | SaveRefusal> {
    const made = flows.map((flow) => {
      return { ...flow, id: newId(), createdAt: now(), isContextMade: isMade(flow.context) }
    })
    const written = await this.#inTurn(async () => {
      const result = await store.createAll(made)
      if (!result.won) return result.because
      const live: LiveFlow[] = []
      for (const stored of result.flows) live.push(await this.#put(stored))
      return live
    })
    if (typeof written !== 'string') await this.#deps.peers?.confirmed()
    return written
  }

  /** Resolves to the flows as they are live now, all in one moment, or to why the store has refused the push. */
  async push(
    removed: readonly string[],
    write: () => Promise<PushResult>
  ): Promise<readonly LiveFlow[] | PushRefusal> {
    const written = await this.#inTurn(async () => {
      const result = await write()
      if (!result.won) return result
      const live: LiveFlow[] = []
      for (const stored of result.flows) live.push(await this.#deps.readLive(stored))
      for (const id of removed) this.#deps.flows.remove(id)
      for (const flow of live) this.#deps.flows.put(flow)
      return live
    })
    if (!('won' in written)) await this.#deps.peers?.confirmed()
    return written
  }

  /** Of a live flow, without a new version. */
  async change(write: () => Promise<StoredFlow | undefined>): Promise<LiveFlow> {
    const changed = await this.#inTurn(async () => {
      const stored = await write()
      return stored && this.#put(stored)
    })
    if (changed === undefined) throw flowNotFound()
    await this.#deps.peers?.confirmed()
    return changed
  }

  async remove(id: string, write: () => Promise<boolean>): Promise<void> {
    const isRemoved = await this.#inTurn(async () => {
      const isRemoved = await write()
      if (isRemoved) this.#deps.flows.remove(id)
      return isRemoved
    })
    if (!isRemoved) throw flowNotFound()
    await this.#deps.peers?.confirmed()
  }

  /** At once where it is short: it is live in the moment in which it is durable. */
  #put(stored: StoredFlow): LiveFlow | Promise<LiveFlow> {
    const { flows, readLive } = this.#deps
    const put = (flow: LiveFlow) => {
      flows.put(flow)
      return flow
    }
    const flow = readLive(stored)
    return flow instanceof LiveFlow ? put(flow) : flow.then(put)
  }
}
