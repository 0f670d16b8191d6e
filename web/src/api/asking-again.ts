import {
  type InvalidateQueryFilters,
  type Query,
  type QueryClient,
  useQueryClient
} from '@tanstack/react-query'
import { useEffect, useState } from 'react'

/**
 * Asks again for what something has happened to.
 *
 * An answer that is on its way may be older than what happened. It is neither taken for the new one nor called off:
 * where something happens all the time, no answer would ever arrive. It is let in, and asked for once more then.
 */
export class AskingAgain {
  readonly #queries: QueryClient
  readonly #late = new Set<Query>()

  constructor(queries: QueryClient) {
    this.#queries = queries
  }

  /** Returns what ends it. */
  start(): () => void {
    return this.#queries.getQueryCache().subscribe((event) => {
      if (!this.#late.has(event.query)) return
      if (event.type === 'removed') this.#late.delete(event.query)
      if (event.type !== 'updated' || event.query.state.fetchStatus === 'fetching') return
      this.#late.delete(event.query)
      this.ask({ queryKey: event.query.queryKey, exact: true })
    })
  }

  readonly ask = (filters: InvalidateQueryFilters = {}): void => {
    const onTheirWay = this.#queries.getQueryCache().findAll({ ...filters, fetchStatus: 'fetching' })
    for (const query of onTheirWay) this.#late.add(query)
    void this.#queries.invalidateQueries(filters, { cancelRefetch: false })
  }
}

export function useAskAgain(): AskingAgain['ask'] {
  const queries = useQueryClient()
  const [asking] = useState(() => new AskingAgain(queries))
  useEffect(() => asking.start(), [asking])
  return asking.ask
}
