import { Button } from '@mantine/core'
import { useRunTexts } from '../../../api/live.ts'
import { duration } from '../../../design/format-time.ts'
import { IconSparkles } from '../../../design/icons/page-icons.ts'
import { RelativeTime } from '../../../design/relative-time.tsx'
import { isRefusedSignIn } from '../../../editor/connection-lookup/refused-sign-in.ts'
import { useAssistance } from '../assistance.ts'
import { MendConnection } from '../connection-choice/mend-connection.tsx'
import { type NodeRun, useEditorState, useNodeRun } from '../editor-context.ts'
import type { DrawnNode } from '../geometry/drawn-nodes.ts'
import { InspectOutput } from '../node-parts/output/inspect-output.tsx'
import { PortValue } from '../node-parts/output/port-value.tsx'
import { RanVersion } from '../run/ran-version.tsx'
import classes from './inspector.module.css'
import { NodeLog } from './node-log.tsx'
import { RunStep } from './run-step.tsx'
import { useResultInSight } from './use-result-in-sight.ts'

/** What the node did in the shown run; where that did not get to it, what it put out most recently. */
export function NodeOutput({ drawn }: { readonly drawn: DrawnNode }) {
  const { node } = drawn
  const run = useNodeRun(node.id)
  const place = useResultInSight()
  return (
    <section ref={place} className={classes.data} aria-label="Output">
      <h3>Output</h3>
      <RunStep key={node.id} drawn={drawn} />
      {run === undefined ? <InspectOutput node={node.id} /> : <RunOutput drawn={drawn} run={run} />}
    </section>
  )
}

/** By what went wrong; where there is a model to ask. */
function RepairNode({ node, run }: { readonly node: string; readonly run: string }) {
  const { isOffered, open } = useAssistance()
  if (!isOffered) return null
  return (
    <Button
      size="compact-sm"
      variant="default"
      leftSection={<IconSparkles size={14} aria-hidden />}
      onClick={() => open({ repair: { run, node } })}
    >
      Repair
    </Button>
  )
}

function RunOutput({
  drawn: { node, outputs: ports },
  run
}: {
  readonly drawn: DrawnNode
  readonly run: NodeRun
}) {
  const at = useEditorState((state) => state.run?.createdAt ?? '')
  const isEdited = useEditorState(({ edited }) => edited.nodes.has(node.id))
  const runId = useEditorState((state) => state.run?.id ?? '')
  const said = useRunTexts(runId).get(node.id)
  const outputs = Object.entries(run.outputs ?? {})
  return (
    <>
      <p className={classes.source}>
        <RelativeTime at={at} />
        {run.duration_ms !== null && `, ${duration(run.duration_ms)}`}
        {run.attempts > 1 && `, ${run.attempts} attempts`}, <RanVersion />
        {run.pinned && ', pinned then: the node was not run'}
      </p>
      {isEdited && (
        <p className={classes.older}>
          This output is out of date: the node, or one before it, has changed since.
        </p>
      )}
      {run.error !== null && (
        <p className={classes.error} role="alert">
          {run.error.message}
        </p>
      )}
      {run.error !== null && (
        <div className={classes.remedies}>
          {isRefusedSignIn(run.error.code) && <MendConnection node={node} />}
          <RepairNode node={node.id} run={runId} />
        </div>
      )}
      {said !== undefined && outputs.length === 0 && <p className={classes.outcome}>{said}</p>}
      {outputs.map(([name, value]) => {
        const port = ports.find((each) => each.name === name)?.port
        const title = port?.title ?? name
        return (
          // A value of another run is another one: what was opened or chosen in the old one does not fit it.
          <div key={`${runId}.${name}`} className={classes.value} data-output={name}>
            {ports.length > 1 && <h4>{title}</h4>}
            <PortValue value={value} label={title} port={port} of={{ node: node.id, output: name }} />
          </div>
        )
      })}
      {run.error === null && outputs.length === 0 && said === undefined && (
        <p className={classes.quiet}>It had no output.</p>
      )}
      <NodeLog lines={run.logs} />
    </>
  )
}
