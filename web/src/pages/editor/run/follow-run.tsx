import { useEffect, useMemo } from 'react'
import { useRanFlow } from '../../../api/ran-flow.ts'
import { sinceRan } from '../../../editor/compare/edited-since.ts'
import { type ShownRun, useEditorState } from '../editor-context.ts'
import { useEditorSession } from '../session/session-context.ts'
import { FollowItems } from './follow-items.tsx'
import { useShownRun } from './use-shown-run.ts'

/** Keeps the run on the canvas, and what was edited since. A part of its own, as nothing is drawn again by it. */
export function FollowRun() {
  useShownRun()
  const run = useEditorState((state) => state.run)
  if (run === undefined) return null
  return (
    <>
      <Edited key={run.id} run={run} />
      <FollowItems key={`items of ${run.id}`} run={run} />
    </>
  )
}

function Edited({ run }: { readonly run: ShownRun }) {
  const session = useEditorSession()
  const { id, flowVersion: flow_version, isTest: test } = run
  const ran = useRanFlow({ id, flow_id: session.flowId, flow_version, test })
  const since = useMemo(() => (ran === undefined ? undefined : sinceRan(ran)), [ran])
  const flow = useEditorState((state) => state.flow)
  useEffect(() => session.setEdited(since?.(flow)), [session, since, flow])
  return null
}
