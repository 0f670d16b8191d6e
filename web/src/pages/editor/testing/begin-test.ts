import type { Api } from '../../../api/client.ts'
import type { Problem } from '../../../api/problem.ts'
import type { Run } from '../../../api/shapes.ts'
import { openTestAddress } from '../../../api/test-address.ts'
import { readLastStart, startTest, type TestStart } from '../../../api/tests.ts'
import type { SaveStatus } from '../../../editor/save/save-state.ts'
import { shownRun } from '../run/shown-run.ts'
import { whenSaved } from '../save/when-saved.ts'
import type { EditorSession } from '../session/editor-session.ts'
import { rememberedBody } from '../session/remembered-body.ts'
import type { NotTested, TestParts, WantedTest } from '../session/testing-context.ts'
import { payloadIn } from './payload-text.ts'
import { startOf, triggerBefore } from './webhook-of.ts'

/** Tests what is drawn, and shows it. The run; or undefined where nobody has said yet what it is to begin with. */
export async function beginTest(
  { api, session, saving }: TestParts,
  { start, upTo }: WantedTest
): Promise<string | NotTested | undefined> {
  const status = await whenSaved(session, saving)
  if (status !== undefined && status !== 'clean') return { problem: unsaved(status) }
  const meant = start ?? (await lastStart(api, session, upTo))
  if (meant === undefined) return undefined
  session.showRun(undefined)
  const test = upTo === undefined ? meant : { ...meant, node: upTo }
  return show(session, await startTest(api, session.flowId, test))
}

async function lastStart(
  api: Api,
  session: EditorSession,
  upTo: string | undefined
): Promise<TestStart | undefined> {
  const { flowId } = session
  const { flow, catalogue, pins } = session.state()
  const usual = startOf(flow)
  const trigger = upTo === undefined ? usual : triggerBefore(flow, catalogue, upTo)
  // Nothing that starts runs leads to the node: it takes no payload.
  if (upTo !== undefined && trigger === undefined) return {}
  const written = trigger === usual ? rememberedBody(window.sessionStorage, flowId).read() : undefined
  const last = await readLastStart(api, flowId, trigger)
  const input = written === undefined ? {} : { input: payloadIn(written) }
  if (last !== null) return { run_id: last.run, ...input }
  const isPinned = trigger !== undefined && pins.has(trigger)
  return written === undefined && !isPinned ? undefined : input
}

/** On a busy flow others have come since, and would take its place: who tests wants to see the test. */
function show(session: EditorSession, run: Run): string {
  const { run: newest } = session.state()
  if (newest !== undefined && newest.id !== run.id && newest.createdAt > run.created_at)
    session.showRun(run.id)
  else session.setRun(shownRun(run))
  return run.id
}

function unsaved(status: SaveStatus): Problem {
  const detail =
    status === 'conflict'
      ? 'Somebody else has edited the same parts. Choose whose changes to keep, and test again.'
      : 'Your changes are not saved, so they cannot be tested yet. The reason is beside the name.'
  return { title: 'Not tested', detail, status: 0, code: 'unsaved', errors: [] }
}

/** Where requests try what is drawn, once that is saved. */
export async function savedAddress({ api, session, saving }: TestParts): Promise<string> {
  await whenSaved(session, saving)
  return (await openTestAddress(api, session.flowId)).address
}
