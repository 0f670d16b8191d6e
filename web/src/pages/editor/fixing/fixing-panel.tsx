import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { useApi } from '../../../api/api-context.ts'
import { replayRun, useRun } from '../../../api/runs.ts'
import type { Run } from '../../../api/shapes.ts'
import { IconFlask, IconRepeat } from '../../../design/icons/page-icons.ts'
import { LoadingState } from '../../../design/loading-state.tsx'
import { ProblemNote } from '../../../design/problem-note.tsx'
import { StateBadge } from '../../../design/state-badge.tsx'
import { PayloadEditor } from '../../../file-parts/payload-editor.tsx'
import { useEditor, useEditorState } from '../editor-context.ts'
import { FocusedPanel } from '../node-parts/focused-panel.tsx'
import { showPublish } from '../publish/show-publish.tsx'
import { useTesting } from '../session/testing-context.ts'
import classes from '../testing/payload-panel.module.css'
import { payloadIn, textOfPayload } from '../testing/payload-text.ts'
import { fixingWords } from './fixing-words.ts'

/** What a run that failed began with, to be tried on the draft until it passes, and then run again. */
export function FixingPanel({ run: id }: { readonly run: string }) {
  const { data: run, error } = useRun(id)
  if (error !== null) return <ProblemNote error={error} />
  if (run === undefined) return <LoadingState rows={4} />
  return <Fixing run={run} />
}

function Fixing({ run }: { readonly run: Run }) {
  const editor = useEditor()
  const testing = useTesting()
  const [original] = useState(() => textOfPayload(run.input))
  const [body, setBody] = useState(original)
  const [tried, setTried] = useState<string | undefined>()
  const changed = body === original ? {} : { input: payloadIn(body) }
  const tryIt = async () => setTried((await testing.test({ run_id: run.id, ...changed })) ?? tried)
  const replay = useReplay(run.id, body === original ? undefined : payloadIn(body))
  const { data: attempt } = useRun(tried ?? run.id)
  const hasDraft = useEditorState(({ save }) => (save?.base.standing.revision ?? 0) > 0)
  const passes = tried !== undefined && attempt?.status === 'succeeded'
  return (
    <FocusedPanel>
      <div className={classes.panel}>
        <PayloadEditor value={body} onChange={setBody} label="What the run began with" height={176} />
        <div className={classes.side}>
          <div className={classes.actions}>
            <Button
              variant={passes ? 'default' : 'filled'}
              leftSection={<IconFlask size={16} aria-hidden />}
              loading={testing.isBusy}
              onClick={() => void tryIt()}
            >
              Try it on the draft
            </Button>
            {passes && hasDraft && (
              <Button variant="filled" onClick={() => showPublish(editor)}>
                Publish…
              </Button>
            )}
            <Button
              variant={passes && !hasDraft ? 'filled' : 'default'}
              leftSection={<IconRepeat size={16} aria-hidden />}
              loading={replay.isPending}
              onClick={() => replay.mutate()}
            >
              Replay on what is live
            </Button>
          </div>
          <p className={classes.line} role="status">
            {attempt !== undefined && <StateBadge state={attempt.status} />}
            {fixingWords({ isTried: tried !== undefined, status: attempt?.status, hasDraft })}
          </p>
          {attempt?.error != null && <p className={classes.failed}>{attempt.error.message}</p>}
          {attempt?.error?.node != null && <ToNode node={attempt.error.node} />}
          {replay.error !== null && <ProblemNote error={replay.error} />}
          {replay.data !== undefined && (
            <p className={classes.line}>
              Replayed: <Link to={`/runs/${replay.data.run_id}`}>the new run</Link>
            </p>
          )}
        </div>
      </div>
    </FocusedPanel>
  )
}

/** A phone has room for one of the two; *Test* goes on with the same payload there. */
function ToNode({ node }: { readonly node: string }) {
  const editor = useEditor()
  const show = () => {
    editor.closePanel('below')
    editor.inspect('side')
    editor.goTo(node)
  }
  return (
    <Button className={classes.onPhone} variant="default" onClick={show}>
      Show the node
    </Button>
  )
}

function useReplay(run: string, input: Parameters<typeof replayRun>[2]) {
  const api = useApi()
  return useMutation({ mutationFn: () => replayRun(api, run, input) })
}
