import type { Clock } from '../../clock.ts'
import { MillraceError, messageOf } from '../../errors.ts'
import type {
  ChunkPlace,
  CollectionStore,
  KnowledgeStore,
  StoredCollection
} from '../../store/collections.ts'
import type { IndexMatch, IndexQuestion } from './collection-index.js'
import { IndexThread } from './index-thread.ts'

interface KnowledgeIndexDeps {
  readonly collections: Pick<CollectionStore, 'get'>
  readonly knowledge: Pick<KnowledgeStore, 'chunksAfter' | 'revisionsAfter'>
  readonly clock: Pick<Clock, 'startTimer'>
  readonly startThread?: () => IndexThread
}

/** What the thread has of a collection. */
interface Held {
  readonly model: string | null
  /** The last piece that it was given. */
  revision: number
  place: number
  /** Of the collection, when the thread had all of it. */
  upTo: number
  chunks: number
  /** Ends when what is being read now is there. */
  reading: Promise<void>
}

/** So many pieces are read at once, which takes 5 ms. */
const PIECES_AT_ONCE = 200
const REVISIONS_AT_ONCE = 2_000
/** Of all collections together: with 1,536 numbers each they take about a gigabyte. What was searched longest ago goes first. */
const MOST_HELD = 500_000
/** Longer than between two questions of somebody who reads the answers. */
const IDLE_MS = 30 * 60_000
/** Whoever writes all the time keeps nobody from searching. */
const MOST_ROUNDS = 3

/**
 * Finds pieces of texts, in a thread of its own. It holds what was searched lately in memory and reads what was written since,
 * whichever process wrote it; the texts themselves stay in the store.
 */
export class KnowledgeIndex {
  readonly #deps: KnowledgeIndexDeps
  /** The one that was searched last is the last. */
  readonly #held = new Map<string, Held>()
  #thread: IndexThread | undefined
  #idle: { stop(): void } | undefined

  constructor(deps: KnowledgeIndexDeps) {
    this.#deps = deps
  }

  async search(collection: StoredCollection, question: IndexQuestion): Promise<readonly IndexMatch[]> {
    const thread = this.#running()
    try {
      await this.#bringUp(thread, collection)
      return await thread.ask({ kind: 'search', name: collection.id, question })
    } catch (error) {
      if (error instanceof MillraceError) throw error
      // What the thread has of it may be half of it.
      this.#held.delete(collection.id)
      throw new MillraceError(
        'collection_unsearchable',
        `The collection "${collection.name}" could not be searched: ${messageOf(error)}. Try again; a collection that is too large for the memory there is has to be cut into several.`
      )
    }
  }

  async close(): Promise<void> {
    this.#idle?.stop()
    this.#held.clear()
    await this.#thread?.end()
    this.#thread = undefined
  }

  #running(): IndexThread {
    this.#idle?.stop()
    this.#idle = this.#deps.clock.startTimer(IDLE_MS, () => void this.close())
    if (this.#thread?.isUsable !== true) {
      this.#held.clear()
      this.#thread = this.#deps.startThread?.() ?? new IndexThread()
    }
    return this.#thread
  }

  /** One after the other: each reads on where the one before has ended. */
  async #bringUp(thread: IndexThread, collection: StoredCollection): Promise<void> {
    const { id, model } = collection
    let held = this.#held.get(id)
    if (held === undefined || held.model !== model) {
      held = { model, revision: 0, place: -1, upTo: -1, chunks: 0, reading: Promise.resolve() }
      held.reading = thread.ask({ kind: 'begin', name: id, model })
    }
    this.#held.delete(id)
    this.#held.set(id, held)
    const mine = held
    const reading = mine.reading.then(() => this.#readOn(thread, collection, mine))
    // A failure is told to whoever asked; the next one tries again.
    mine.reading = reading.catch(() => {})
    await reading
    this.#makeRoom(thread, id)
  }

  async #readOn(thread: IndexThread, { id, revision }: StoredCollection, held: Held): Promise<void> {
    if (held.upTo >= revision) return
    for (let round = 0; round < MOST_ROUNDS; round++) {
      await this.#readNews(thread, id, held)
      const now = await this.#deps.collections.get(id)
      if (now === undefined) return
      const { alive, isOld } = await thread.ask({ kind: 'state', name: id })
      held.chunks = alive
      if (isOld) await this.#beginAnew(thread, id, held)
      else if (alive !== now.chunks && now.revision > held.revision) await this.#dropRemoved(thread, id)
      else {
        held.upTo = now.revision
        return
      }
    }
  }

  /** Reads while the thread takes what was read before. */
  async #readNews(thread: IndexThread, id: string, held: Held): Promise<void> {
    let after: ChunkPlace = { revision: held.revision, place: held.place }
    let taken = Promise.resolve()
    for (;;) {
      // Also where it cannot be read: the next search reads on from what the thread has.
      const pieces = await this.#deps.knowledge.chunksAfter(id, after, PIECES_AT_ONCE).finally(() => taken)
      const last = pieces.at(-1)
      if (last === undefined) return
      const { revision, place } = last
      after = { revision, place }
      taken = thread.ask({ kind: 'add', name: id, pieces }).then(() => {
        held.revision = revision
        held.place = place
      })
      taken.catch(() => {})
      // Others have their turn in between.
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  /** What was removed leaves no word behind: what is not there any more is found by asking for all that is. */
  async #dropRemoved(thread: IndexThread, id: string): Promise<void> {
    const revisions: number[] = []
    for (;;) {
      const more = await this.#deps.knowledge.revisionsAfter(id, revisions.at(-1) ?? 0, REVISIONS_AT_ONCE)
      for (const revision of more) revisions.push(revision)
      if (more.length < REVISIONS_AT_ONCE) break
    }
    await thread.ask({ kind: 'retain', name: id, revisions })
  }

  async #beginAnew(thread: IndexThread, id: string, held: Held): Promise<void> {
    await thread.ask({ kind: 'begin', name: id, model: held.model })
    held.revision = 0
    held.place = -1
  }

  #makeRoom(thread: IndexThread, kept: string): void {
    let all = [...this.#held.values()].reduce((sum, { chunks }) => sum + chunks, 0)
    for (const [id, { chunks }] of this.#held) {
      if (all <= MOST_HELD) return
      if (id === kept) continue
      this.#held.delete(id)
      all -= chunks
      thread.ask({ kind: 'forget', name: id }).catch(() => {})
    }
  }
}
