import type { Clock } from '../clock.ts'
import type { ConnectionOpener } from '../connections/connection-opener.ts'
import { OpenedSecrets } from '../connections/opened-secrets.ts'
import { StepError } from '../engine/step-error.ts'
import { MillraceError } from '../errors.ts'
import type { SharedPace } from '../flows/shared-pace.ts'
import type { KnowledgeQuestion, WrittenText } from '../flows/step/step-knowledge.ts'
import type { StoredCollection } from '../store/collections.ts'
import { embedByConnection } from './embed-by-connection.ts'
import type { Asking, Knowledge } from './knowledge.ts'

interface PeopleDeps {
  readonly knowledge: Pick<Knowledge, 'search' | 'write'>
  readonly opener: Pick<ConnectionOpener, 'openByName'>
  readonly clock: Pick<Clock, 'startTimer'>
  readonly pace: SharedPace
}

const SEARCH_WITHIN_MS = 15_000
const WRITE_WITHIN_MS = 120_000

/** What people ask of collections, by the API: the same as steps, and told at once where it cannot be done. */
export class KnowledgeForPeople {
  readonly #deps: PeopleDeps

  constructor(deps: PeopleDeps) {
    this.#deps = deps
  }

  search(collection: StoredCollection, question: KnowledgeQuestion): ReturnType<Knowledge['search']> {
    const { knowledge } = this.#deps
    return this.#within(SEARCH_WITHIN_MS, collection, (asking) =>
      knowledge.search(collection, question, asking)
    )
  }

  write(collection: StoredCollection, text: WrittenText): ReturnType<Knowledge['write']> {
    const { knowledge, pace } = this.#deps
    return this.#within(WRITE_WITHIN_MS, collection, (asking) =>
      knowledge.write(collection, text, { ...asking, inTurns: (work) => pace.run(work) })
    )
  }

  async #within<T>(
    ms: number,
    collection: StoredCollection,
    work: (asking: Asking) => Promise<T>
  ): Promise<T> {
    const secrets = new OpenedSecrets()
    const end = new AbortController()
    const timer = this.#deps.clock.startTimer(ms, () => end.abort(tooLate(collection, ms)))
    try {
      const embed = embedByConnection(this.#deps.opener, collection, { signal: end.signal, secrets })
      return await work({ embed, persist: (ask) => ask() })
    } catch (error) {
      const thrown = end.signal.aborted ? end.signal.reason : error
      if (!(thrown instanceof StepError)) throw thrown
      throw new MillraceError('collection_unsearchable', secrets.redactWords(thrown.message))
    } finally {
      timer.stop()
      end.abort()
    }
  }
}

function tooLate({ name, model }: StoredCollection, ms: number): StepError {
  return new StepError(
    `The model "${model}" of the collection "${name}" did not answer within ${ms / 1000} s. Try again, or look at its connection.`
  )
}
