import { CommandError } from '../../command-error.ts'
import type { Api } from '../api.ts'
import { isFinal } from '../events/patiently.ts'
import { flowPath } from './flow-named.ts'

/** What flows are called, each asked for once. One that is deleted, or that the key may not see, keeps its id. */
export class FlowNames {
  readonly #api: Api
  readonly #names = new Map<string, Promise<string>>()

  constructor(api: Api) {
    this.#api = api
  }

  of(id: string): Promise<string> {
    const known = this.#names.get(id)
    if (known !== undefined) return known
    const name = this.#ask(id)
    this.#names.set(id, name)
    return name
  }

  async #ask(id: string): Promise<string> {
    try {
      return (await this.#api.call<{ slug: string }>(flowPath(id))).slug
    } catch (error) {
      if (!(error instanceof CommandError)) throw error
      // One that only could not be told now, such as by a service that starts again, is asked for the next time.
      if (!isFinal(error)) this.#names.delete(id)
      return id
    }
  }
}
