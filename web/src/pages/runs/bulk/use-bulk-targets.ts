import { useEffect, useState } from 'react'
import { useApi } from '../../../api/api-context.ts'
import type { Api } from '../../../api/client.ts'
import { type RunQuestion, readRunPage } from '../../../api/runs.ts'
import type { RunSummary } from '../../../api/shapes.ts'
import type { RunFeed } from '../feed/run-feed.ts'
import type { Selection } from '../selection.ts'

export interface BulkTargets {
  readonly runs: readonly RunSummary[]
  /** All that match are still being looked for. */
  readonly isSearching: boolean
  readonly error: unknown
}

interface Chosen {
  readonly selection: Selection
  readonly question: RunQuestion
  readonly feed: RunFeed
}

/** The runs that were chosen, as they are when the dialog opens; those that match a filter are asked for, page by page. */
export function useBulkTargets({ selection, question, feed }: Chosen): BulkTargets {
  const api = useApi()
  const [targets, setTargets] = useState<BulkTargets>({ runs: [], isSearching: true, error: null })
  useEffect(() => {
    if (selection.kind === 'some') {
      const runs = [...selection.ids].map((id) => feed.get(id)).filter((run) => run !== undefined)
      setTargets({ runs, isSearching: false, error: null })
      return
    }
    const stopping = new AbortController()
    const tell = (runs: readonly RunSummary[], isSearching: boolean, error: unknown = null) => {
      if (!stopping.signal.aborted) setTargets({ runs, isSearching, error })
    }
    collect(api, question, { signal: stopping.signal, tell }).catch((error) => tell([], false, error))
    return () => stopping.abort()
  }, [api, selection, question, feed])
  return targets
}

interface Collecting {
  readonly signal: AbortSignal
  readonly tell: (runs: readonly RunSummary[], isSearching: boolean) => void
}

async function collect(api: Api, question: RunQuestion, { signal, tell }: Collecting): Promise<void> {
  let found: readonly RunSummary[] = []
  let cursor: string | undefined
  for (;;) {
    const page = await readRunPage(api, question, { limit: 500, cursor, signal })
    found = [...found, ...page.runs]
    tell(found, page.next_cursor !== null)
    if (page.next_cursor === null) return
    cursor = page.next_cursor
  }
}
