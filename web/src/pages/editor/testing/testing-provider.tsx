import { use, useMemo, useRef, useState } from 'react'
import { useApi } from '../../../api/api-context.ts'
import { type Problem, problemOf } from '../../../api/problem.ts'
import { useMay } from '../../../api/session.ts'
import type { TestStart } from '../../../api/tests.ts'
import { LoadToolsContext } from '../lazy-tools.tsx'
import { useListening } from '../node-parts/webhook/listening.ts'
import { rememberedBody } from '../session/remembered-body.ts'
import { useSaving } from '../session/saving-context.ts'
import { useEditorSession } from '../session/session-context.ts'
import { type Testing, TestingContext } from '../session/testing-context.ts'
import { showPayload } from './show-payload.tsx'

/** Tries out what is drawn: what is typed is saved first, since the service tests what it has. */
export function TestingProvider({ children }: { readonly children: React.ReactNode }) {
  const api = useApi()
  const session = useEditorSession()
  const saving = useSaving()
  const loadTools = use(LoadToolsContext)
  const { flowId } = session
  const [isBusy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<Problem | undefined>()
  const [begunRun, setBegunRun] = useState<string | undefined>()
  const [upTo, setUpTo] = useState<string | undefined>()
  const isRunning = useRef(false)

  const begin = async (start: TestStart | undefined, node?: string): Promise<string | undefined> => {
    const { beginTest } = await loadTools()
    const begun = await beginTest({ api, session, saving }, { start, upTo: node })
    setUpTo(begun === undefined ? node : undefined)
    if (begun === undefined) return showPayload(session)
    if (typeof begun === 'string') {
      setBegunRun(begun)
      return begun
    }
    setRefusal(begun.problem)
    return undefined
  }

  const test: Testing['test'] = async (start, node) => {
    if (isRunning.current) return undefined
    isRunning.current = true
    setBusy(true)
    setRefusal(undefined)
    try {
      return await begin(start, node)
    } catch (error) {
      setRefusal(problemOf(error))
      return undefined
    } finally {
      isRunning.current = false
      setBusy(false)
    }
  }

  const latest = useRef(test)
  latest.current = test
  const [mayWrite, mayTrigger] = [useMay('write'), useMay('trigger')]
  const listening = useListening(flowId, {
    openAddress:
      mayWrite && mayTrigger
        ? async () => (await loadTools()).savedAddress({ api, session, saving })
        : undefined,
    onLanded: ({ id, isTest }) => {
      rememberedBody(window.sessionStorage, flowId).forget()
      if (isTest) session.showRun(id)
      else void latest.current({ run_id: id })
    }
  })
  const testing = useMemo(
    (): Testing => ({
      isBusy,
      refusal,
      begun: begunRun,
      forget: () => setRefusal(undefined),
      test: (...how) => latest.current(...how),
      upTo,
      openPayload: () => {
        setUpTo(undefined)
        showPayload(session)
      },
      listening
    }),
    [isBusy, refusal, begunRun, upTo, session, listening]
  )
  return <TestingContext value={testing}>{children}</TestingContext>
}
