import { queryOptions } from '@tanstack/react-query'
import type { Api } from './client.ts'
import type { TokenUsage } from './shapes.ts'

/** What came of the runs that were accepted in one span of time. */
export interface StatsBucket {
  readonly from: string
  readonly to: string
  readonly succeeded: number
  readonly failed: number
  readonly cancelled: number
  readonly open: number
  /** Null where no run ended. */
  readonly p50_ms: number | null
  readonly p99_ms: number | null
  /** Tokens of language models; null where none was asked. */
  readonly usage: (TokenUsage & { readonly models: readonly ModelTokens[] }) | null
}

export interface ModelTokens extends TokenUsage {
  readonly model: string
}

export interface StatsQuestion {
  readonly flow_id?: string | undefined
  readonly since: string
  readonly until: string
  readonly buckets: number
}

interface RunStats {
  readonly buckets: readonly StatsBucket[]
  /** How long the service took to count, so that it is not asked too often. */
  readonly tookMs: number
}

export function runStatsQuery(api: Api, question: StatsQuestion) {
  return queryOptions({
    queryKey: ['runs', 'stats', question],
    queryFn: async ({ signal }): Promise<RunStats> => {
      const begun = performance.now()
      const { buckets } = await api.get<Pick<RunStats, 'buckets'>>('runs/stats', { ...question }, { signal })
      return { buckets, tookMs: performance.now() - begun }
    },
    // What happened while nobody looked was told to nobody.
    staleTime: 0
  })
}
