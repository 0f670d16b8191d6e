import { useMemo, useRef, useState } from 'react'
import { useApi } from '../../../api/api-context.ts'
import { type Problem, problemOf } from '../../../api/problem.ts'
import type { Run } from '../../../api/shapes.ts'
import { readLastStart, startTest, type TestStart } from '../../../api/tests.ts'
import type { SaveStatus } from '../../../editor/save/save-state.ts'
import { useListening } from '../node-parts/webhook/listening.ts'
import { shownRun } from '../run/shown-run.ts'
import { whenSaved } from '../save/when-saved.ts'
import { useSaving } from '../session/saving-context.ts'
import { useEditorSession } from '../session/session-context.ts'
import { type Testing, TestingContext } from '../session/testing-context.ts'
import { payloadIn } from './payload-text.ts'
import { rememberedBody } from './remembered-body.ts'
import { showPayload } from './show-payload.tsx'
import { triggerBefore, webhookOf } from './webhook-of.ts'

/** Tries out what is drawn: what is typed is saved first, since the service tests what it has. */
export function TestingProvider({ children }: { readonly children: React.ReactNode }) {
  const api = useApi()
  const session = useEditorSession()
  const saving = useSaving()
  const { flowId } = session
  const [isBusy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<Problem | undefined>()
  const [upTo, setUpTo] = useState<string | undefined>()
  const isRunning = useRef(false)

  const begin = async (start: TestStart | undefined, node?: string): Promise<string | undefined> => {
    const status = await whenSaved(session, saving)
    if (status !== undefined && status !== 'clean') throw unsaved(status)
    const meant = start ?? (await lastStart(node))
    setUpTo(meant === undefined ? node : undefined)
    if (meant === undefined) return showPayload(session)
    session.showRun(undefined)
    return show(await startTest(api, flowId, node === undefined ? meant : { ...meant, node }))
  }

  /** Undefined where nobody has said yet what the test is to begin with. */
  const lastStart = async (node: string | undefined): Promise<TestStart | undefined> => {
    const { flow, catalogue, pins } = session.state()
    const webhook = webhookOf(flow)
    const trigger = node === undefined ? webhook : triggerBefore(flow, catalogue, node)
    // Nothing that starts runs leads to the node: it takes no payload.
    if (node !== undefined && trigger === undefined) return {}
    const written = trigger === webhook ? rememberedBody(window.sessionStorage, flowId).read() : undefined
    const last = await readLastStart(api, flowId, trigger)
    const input = written === undefined ? {} : { input: payloadIn(written) }
    if (last !== null) return { run_id: last.run, ...input }
    return written === undefined && !(trigger !== undefined && pins.has(trigger)) ? undefined : input
  }

  /** On a busy flow others have come since, and would take its place: who tests wants to see the test. */
  const show = (run: Run): string => {
    const { run: newest } = session.state()
    if (newest !== undefined && newest.id !== run.id && newest.createdAt > run.created_at)
      session.showRun(run.id)
    else session.setRun(shownRun(run))
    return run.id
  }

  const test: Testing['test'] = async (start, node) => {
    if (isRunning.current) return undefined
    isRunning.current = true
    setBusy(true)
    setRefusal(undefined)
    try {
      return await begin(start, node)
    } catch (error) {
      setRefusal(error instanceof Unsaved ? error.problem : problemOf(error))
      return undefined
    } finally {
      isRunning.current = false
      setBusy(false)
    }
  }

  const latest = useRef(test)
  latest.current = test
  const listening = useListening(flowId, (run) => {
    rememberedBody(window.sessionStorage, flowId).forget()
    void latest.current({ run_id: run })
  })
  const testing = useMemo(
    (): Testing => ({
      isBusy,
      refusal,
      forget: () => setRefusal(undefined),
      test: (...how) => latest.current(...how),
      upTo,
      openPayload: () => {
        setUpTo(undefined)
        showPayload(session)
      },
      listening
    }),
    [isBusy, refusal, upTo, session, listening]
  )
  return <TestingContext value={testing}>{children}</TestingContext>
}

class Unsaved extends Error {
  readonly problem: Problem

  constructor(detail: string) {
    super(detail)
    this.problem = { title: 'Not tested', detail, status: 0, code: 'unsaved', errors: [] }
  }
}

function unsaved(status: SaveStatus): Unsaved {
  return new Unsaved(
    status === 'conflict'
      ? 'Somebody else has edited the same parts. Decide whose are taken, and test again.'
      : 'Your changes are not saved, so they cannot be tested yet. What is beside the name says why.'
  )
}
