import { useEffect, useState, useSyncExternalStore } from 'react'
import { useApi } from '../../../api/api-context.ts'
import type { Api } from '../../../api/client.ts'
import { useLive, useLiveEvents, useOpening } from '../../../api/live.ts'
import type { Opening } from '../../../api/live-events.ts'
import { type RunQuestion, readRunPage } from '../../../api/runs.ts'
import { matchesQuestion } from '../filter/run-filter.ts'
import { type FeedView, RunFeed } from './run-feed.ts'

export interface ShownFeed {
  /** Undefined until the first page of runs has come. */
  readonly feed: RunFeed | undefined
  /** Runs of the question before are shown until those of the new one come. */
  readonly isOutdated: boolean
}

interface BegunFeed {
  readonly feed: RunFeed
  /** How the stream of events was open when the first page was asked for: of what came after, events tell. */
  readonly begunAt: Opening
}

const NOTHING: FeedView = {
  rows: [],
  fresh: 0,
  isReady: false,
  isLoading: true,
  isComplete: false,
  error: null
}
const NO_FEED = { watch: () => () => {}, view: () => NOTHING }

/** A feed of the runs of a question. The question is compared by identity: memoise it. */
export function useRunFeed(question: RunQuestion): ShownFeed {
  const api = useApi()
  const live = useLive()
  const [shown, setShown] = useState<RunFeed>()
  const [newest, setNewest] = useState<BegunFeed>()
  useEffect(() => {
    const feed = createFeed(api, question)
    const show = () => {
      const { isReady, error } = feed.view()
      if (isReady || error !== null) setShown(feed)
    }
    const unwatch = feed.watch(show)
    setNewest({ feed, begunAt: live.opening() })
    feed.start()
    return () => {
      unwatch()
      feed.stop()
    }
  }, [api, question, live])
  useLiveEvents((events) => newest?.feed.receive(events))
  const opening = useOpening()
  useEffect(() => {
    // What happened before the stream of events was open, nobody tells.
    if (newest !== undefined && opening !== newest.begunAt)
      newest.feed.catchUp({ isResumed: opening.isResumed })
  }, [opening, newest])
  return { feed: shown, isOutdated: shown !== newest?.feed }
}

/** What a feed shows. Only parts that draw it may ask: it changes many times a second. */
export function useFeedView(feed: RunFeed | undefined): FeedView {
  const { watch, view } = feed ?? NO_FEED
  return useSyncExternalStore(watch, view)
}

function createFeed(api: Api, question: RunQuestion): RunFeed {
  return new RunFeed({
    load: (page) => readRunPage(api, question, page),
    matches: (run) => matchesQuestion(run, question),
    canJudge: question.q === undefined,
    mayEnterLate: question.status !== undefined,
    startTimer: (ms, then) => {
      const timer = setTimeout(then, ms)
      return () => clearTimeout(timer)
    }
  })
}
