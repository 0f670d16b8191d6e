import { useCallback, useEffect, useRef, useState } from 'react'
import { type Problem, problemOf } from '../../../../api/problem.ts'
import type { TriedNode } from '../../../../api/run-node.ts'
import { OneAtATime } from './one-at-a-time.ts'

/** What came of code that was tried. */
export interface Trial {
  /** The code that it came of. */
  readonly source: string
  /** Undefined where the key may not read it, or it was not tried at all. */
  readonly tried?: TriedNode | undefined
  /** Why it was not tried. */
  readonly problem?: string
}

export interface Trying {
  readonly isRunning: boolean
  /** The last one that came to its end. */
  readonly trial: Trial | undefined
  readonly run: (source: string) => void
}

/** Tries code out: whoever types on does not wait for what was typed before. */
export function useTrial(send: (signal: AbortSignal) => Promise<TriedNode | undefined>): Trying {
  const [state, setState] = useState<Omit<Trying, 'run'>>({ isRunning: false, trial: undefined })
  const [trials] = useState(() => new OneAtATime())
  const newest = useRef(send)
  useEffect(() => {
    newest.current = send
  })
  useEffect(() => () => trials.cancel(), [trials])
  const run = useCallback(
    (source: string) => {
      const { current: sendNow } = newest
      const end = (trial: Trial) => setState({ isRunning: false, trial })
      setState(({ trial }) => ({ isRunning: true, trial }))
      trials.run(sendNow).then(
        (done) => done !== undefined && end({ source, tried: done.result }),
        (error: unknown) => end({ source, problem: wordsOf(problemOf(error)) })
      )
    },
    [trials]
  )
  return { ...state, run }
}

/** A fault at a place is worded as a step's error is, so that it is marked in the code as well. */
function wordsOf({ detail, errors: [fault] }: Problem): string {
  if (fault?.line === undefined) return detail
  const reason = fault.message.replace(`Field "${fault.field}" of node "${fault.node}": `, '')
  return `Line ${fault.line}, column ${fault.column}: ${reason}`
}
