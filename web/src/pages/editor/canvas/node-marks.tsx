import { duration } from '../../../design/format-time.ts'
import { StateBadge } from '../../../design/state-badge.tsx'
import { type NodeRun, useEditorState, usePin } from '../editor-context.ts'
import type { DrawnNode } from '../geometry/drawn-nodes.ts'
import { AddressMark, DisabledMark, PinMark, ProblemMark, TakenMark, TriggerMark } from '../lazy-tools.tsx'
import { startsByItself } from '../triggers/starts-by-itself.ts'
import classes from './node-marks.module.css'

const UNWIRED = 'No trigger leads to this node, so every run skips it.'
const LOOSE = 'It does not use the items, yet it runs for each of them.'

interface NodeMarksProps {
  readonly drawn: DrawnNode
  readonly run: NodeRun | undefined
  /** Before them. */
  readonly children?: React.ReactNode
}

/**
 * What the shown run did here, how many things are wrong with the node, and how it differs from another version. They hang below it and take no room of it:
 * a node must not grow because data arrived.
 */
export function NodeMarks({ drawn, run, children }: NodeMarksProps) {
  const { node } = drawn
  const isUnwired = useEditorState(({ unwired }) => unwired.has(node.id))
  const isInside = useEditorState(({ unwired }) => node.parent !== undefined && !unwired.has(node.parent))
  const mark = useEditorState(({ marks }) => marks.get(node.id))
  const isEdited = useEditorState(({ edited }) => edited.nodes.has(node.id))
  const pin = usePin(node.id)
  // What it did before it was disabled says nothing of it, and would take a second line.
  const isRunShown = run !== undefined && !(node.disabled === true && isEdited)
  return (
    <div className={classes.marks}>
      {children}
      <ProblemMark drawn={drawn} />
      {node.type === 'webhook' && <AddressMark node={node} />}
      {startsByItself(drawn.component) && <TriggerMark node={node.id} />}
      {pin !== undefined && <PinMark node={node} pin={pin} />}
      {mark !== undefined && (
        <span className={classes.change} data-mark={mark}>
          {mark}
        </span>
      )}
      {node.disabled === true && <DisabledMark drawn={drawn} />}
      {isUnwired && (
        <span className={classes.unwired} title={isInside ? LOOSE : UNWIRED}>
          not wired
        </span>
      )}
      {isRunShown && (
        <span className={classes.runState} data-run={node.id}>
          <StateBadge state={run.status} iconOnly={run.status === 'succeeded' || run.status === 'skipped'} />
          {run.attempts > 1 && <span>{run.attempts} attempts</span>}
          {run.pinned && <TakenMark />}
          {run.duration_ms !== null && !run.pinned && <span>{duration(run.duration_ms)}</span>}
          {isEdited && (
            <span title="The node, or one before it, was edited after that run.">edited since</span>
          )}
        </span>
      )}
    </div>
  )
}
