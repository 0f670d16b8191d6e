import type { ConnectionOpener } from '../connections/connection-opener.ts'
import { OpenedSecrets } from '../connections/opened-secrets.ts'
import { messageOf } from '../errors.ts'
import type {
  Chunk,
  CollectionStore,
  KnowledgeStore,
  StoredCollection,
  StoredText
} from '../store/collections.ts'
import { embedByConnection } from './embed-by-connection.ts'
import { AT_ONCE, type Embed, embedAll } from './knowledge.ts'

interface ReembeddingDeps {
  readonly collections: Pick<CollectionStore, 'list' | 'get'>
  readonly knowledge: Pick<KnowledgeStore, 'textsBesides' | 'chunks' | 'addChunks' | 'put'>
  readonly opener: Pick<ConnectionOpener, 'openByName'>
  readonly newId: () => string
  readonly now: () => number
  readonly onError: (error: unknown, doing: string) => void
}

const TEXTS_AT_ONCE = 20
/** A model that does not answer is asked again after so long. */
const AGAIN_AFTER_MS = 10 * 60_000

/** Gives texts their meaning anew whose collection has got another model. */
export class Reembedding {
  readonly #deps: ReembeddingDeps
  readonly #failedAt = new Map<string, number>()
  #running: Promise<void> | undefined
  #end = new AbortController()

  constructor(deps: ReembeddingDeps) {
    this.#deps = deps
  }

  /** Resolves when nothing is left to do, or what is left cannot be done now. */
  run(): Promise<void> {
    this.#running ??= this.#all().finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  /** A collection has got another model: it is looked at in the background, also where the one before has failed. */
  changed(id: string): void {
    this.#failedAt.delete(id)
    const again = () => this.run().catch((error) => this.#deps.onError(error, DOING))
    void (this.#running === undefined ? again() : this.#running.then(again, again))
  }

  /** Resolves when it does nothing any more. */
  async stop(): Promise<void> {
    this.#end.abort(new Error('the service stops'))
    await this.#running?.catch(() => {})
  }

  async #all(): Promise<void> {
    const { collections, now, onError } = this.#deps
    for (const collection of await collections.list()) {
      const { id, name } = collection
      const isTooEarly = now() - (this.#failedAt.get(id) ?? Number.NEGATIVE_INFINITY) < AGAIN_AFTER_MS
      if (this.#end.signal.aborted || isTooEarly) continue
      const secrets = new OpenedSecrets()
      try {
        const opened = { signal: this.#end.signal, secrets }
        const embed = embedByConnection(this.#deps.opener, collection, opened)
        if (embed !== undefined) await this.#textsOf(collection, embed)
      } catch (error) {
        if (this.#end.signal.aborted) return
        this.#failedAt.set(id, now())
        const said = secrets.redactWords(messageOf(error))
        onError(new Error(`Collection "${name}": ${said}`), DOING)
      }
    }
  }

  /** Where it has got yet another model meanwhile, this one is asked no more: the next look begins with that. */
  async #textsOf({ id, model, connection }: StoredCollection, embed: Embed): Promise<void> {
    for (;;) {
      const now = await this.#deps.collections.get(id)
      if (now?.model !== model || now.connection !== connection) return
      const texts = await this.#deps.knowledge.textsBesides(id, model!, TEXTS_AT_ONCE)
      for (const text of texts) await this.#anew(text, model!, embed)
      if (texts.length < TEXTS_AT_ONCE) return
    }
  }

  /** Written under another name, and put in the place of the text as it was read: whoever writes it meanwhile comes first. */
  async #anew(text: StoredText, model: string, embed: Embed): Promise<void> {
    const { knowledge, newId, now } = this.#deps
    const content = newId()
    for (let from = 0; from < text.chunks; from += AT_ONCE) {
      this.#end.signal.throwIfAborted()
      const chunks: readonly Chunk[] = await knowledge.chunks(text.content, from, AT_ONCE)
      if (chunks.length === 0) return
      const embedded = await embedAll(
        chunks.map((chunk) => chunk.text),
        embed
      )
      await knowledge.addChunks(content, from, embedded.chunks, now())
    }
    const { revision, ...rest } = text
    await knowledge.put({ ...rest, content, model }, revision)
  }
}

const DOING = 'giving texts of collections their meaning anew'
