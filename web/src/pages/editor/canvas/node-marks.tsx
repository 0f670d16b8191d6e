import { counted } from '../../../design/counted.ts'
import { duration } from '../../../design/format-time.ts'
import { IconAlertTriangle } from '../../../design/icons/page-icons.ts'
import { StateBadge } from '../../../design/state-badge.tsx'
import type { Node } from '../../../editor/graph/flow.ts'
import { useNodeTroubles } from '../connection-choice/use-node-troubles.ts'
import { type NodeRun, useEditor, useEditorState, usePin } from '../editor-context.ts'
import { useSettled } from '../fields/use-settled.ts'
import type { DrawnNode } from '../geometry/drawn-nodes.ts'
import { AddressMark, PinMark, TakenMark, TriggerMark } from '../lazy-tools.tsx'
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
  return (
    <div className={classes.marks}>
      {children}
      <Problems drawn={drawn} />
      {node.type === 'webhook' && <AddressMark node={node} />}
      {startsByItself(drawn.component) && <TriggerMark node={node.id} />}
      {pin !== undefined && <PinMark node={node} pin={pin} />}
      {mark !== undefined && (
        <span className={classes.change} data-mark={mark}>
          {mark}
        </span>
      )}
      {node.disabled === true && (
        <span className={classes.unwired} title="It does not run: its input passes through unchanged.">
          disabled
        </span>
      )}
      {isUnwired && (
        <span className={classes.unwired} title={isInside ? LOOSE : UNWIRED}>
          not wired
        </span>
      )}
      {run !== undefined && (
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

/** A node without connections need not ask what its context gives: there may be a thousand of them. */
function Problems({ drawn }: { readonly drawn: DrawnNode }) {
  const faults = useEditorState(({ faults }) => faults.countOfNode.get(drawn.node.id) ?? 0)
  const fields = Object.values(drawn.component?.fields ?? {})
  return fields.some(({ kind }) => kind === 'connection') ? (
    <WithTroubles node={drawn.node} faults={faults} />
  ) : (
    <ProblemCount node={drawn.node.id} count={faults} />
  )
}

function WithTroubles({ node, faults }: { readonly node: Node; readonly faults: number }) {
  return <ProblemCount node={node.id} count={faults + useNodeTroubles(node).length} />
}

function ProblemCount({ node, count: now }: { readonly node: string; readonly count: number }) {
  const editor = useEditor()
  const count = useSettled(
    now,
    useEditorState(({ writing }) => writing === node)
  )
  if (count === 0) return null
  return (
    <button
      type="button"
      className={`${classes.problems} nodrag`}
      onClick={() => {
        editor.select({ parts: new Set([node]), wires: new Set() })
        editor.inspect('side')
      }}
    >
      <IconAlertTriangle size={13} aria-hidden />
      {counted(count, 'problem')}
    </button>
  )
}
