import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { useApi } from '../../../api/api-context.ts'
import { useAskAgain } from '../../../api/asking-again.ts'
import { useLiveEvents } from '../../../api/live.ts'
import { runStatsQuery, type StatsQuestion } from '../../../api/run-stats.ts'
import { useNow } from '../../../design/use-now.ts'
import type { RunFilter } from '../filter/run-filter.ts'
import { type Buckets, bucketsBetween, bucketsOfRange } from '../filter/time-range.ts'

/** Counts are looked at again while runs happen, but the service is not kept busy with counting. */
const REFETCH_AFTER_MS = 2_000
const REST_FACTOR = 10

/** What the plots show: the time that is filtered for, and of a list of any time the last day. */
export function useRunStats(filter: RunFilter, flowId: string | undefined) {
  const api = useApi()
  const now = useNow()
  const { from, width, count } = bucketsFor(filter, now)
  const question = useMemo((): StatsQuestion => {
    const [since, until] = [from, from + width * count].map((at) => new Date(at).toISOString())
    return { flow_id: flowId, since: since!, until: until!, buckets: count }
  }, [flowId, from, width, count])
  const stats = useQuery({ ...runStatsQuery(api, question), placeholderData: keepPreviousData })
  useRefetch(question, stats.data?.tookMs ?? 0)
  return stats
}

function useRefetch(question: StatsQuestion, tookMs: number): void {
  const askAgain = useAskAgain()
  const timer = useRef<number>(undefined)
  useLiveEvents((events) => {
    const isMeant = events.some(({ name, data }) => {
      return name.startsWith('run.') && (question.flow_id === undefined || data.flow_id === question.flow_id)
    })
    if (!isMeant || Date.parse(question.until) < Date.now() - 60_000) return
    timer.current ??= window.setTimeout(
      () => {
        timer.current = undefined
        askAgain({ queryKey: ['runs', 'stats'] })
      },
      Math.max(REFETCH_AFTER_MS, REST_FACTOR * tookMs)
    )
  })
  useEffect(() => () => window.clearTimeout(timer.current), [])
}

function bucketsFor({ range, since, until }: RunFilter, now: number): Buckets {
  const offset = -new Date(now).getTimezoneOffset() * 60_000
  if (range !== '') return bucketsOfRange(range, now, offset)
  if (since === '' && until === '') return bucketsOfRange('24h', now, offset)
  const to = until === '' ? now : Date.parse(until)
  const from = since === '' ? to - 86_400_000 : Date.parse(since)
  return bucketsBetween(from, to, offset)
}
