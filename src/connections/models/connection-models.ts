import type { Clock } from '../../clock.ts'
import type { ConnectionResource } from '../../flows/step/step-connection.ts'
import { type AskDeps, askConnection } from '../ask-connection.ts'
import type { OfferedModel } from './list-models.ts'

interface ConnectionModelsDeps extends AskDeps {
  readonly clock: Pick<Clock, 'startTimer' | 'now'>
  /** The kinds that lead to models. */
  readonly kinds: readonly string[]
  /** Throws where this service cannot ask the models of a kind, so that whoever chooses one learns it before a run does. */
  readonly assertUsable: (kind: string) => void
}

/** What a provider offered a moment ago. Kept with the connection, so that a change of it forgets the list. */
interface KnownList {
  last?: { readonly at: number; readonly models: readonly OfferedModel[] }
}

const KNOWN_LIST: ConnectionResource<KnownList> = { open: () => ({}), close: () => {} }

/** Long enough for somebody who opens several nodes, short enough for somebody who has just pulled a model. */
const KEPT_MS = 60_000

/** The models behind connections that flows of a context can name. */
export class ConnectionModels {
  readonly #deps: ConnectionModelsDeps

  constructor(deps: ConnectionModelsDeps) {
    this.#deps = deps
  }

  list(context: string, name: string): Promise<readonly OfferedModel[]> {
    const { kinds, clock, assertUsable } = this.#deps
    return askConnection(this.#deps, {
      context,
      name,
      kinds,
      failsAs: 'models_unreadable',
      ask: (connection) => {
        assertUsable(connection.kind)
        return connection.withResource(KNOWN_LIST, async (known) => {
          if (known.last !== undefined && clock.now() - known.last.at < KEPT_MS) return known.last.models
          // Loaded when somebody edits a node that asks a model: few do, and a service that is idle is to be small.
          const { listModels } = await import('./list-models.ts')
          const models = await listModels(connection)
          known.last = { at: clock.now(), models }
          return models
        })
      }
    })
  }
}
