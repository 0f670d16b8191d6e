import { counted } from '../../../design/counted.ts'
import { IconAlertTriangle } from '../../../design/icons/page-icons.ts'
import type { Node } from '../../../editor/graph/flow.ts'
import { disabledWords } from '../../../editor/wiring/disabled-words.ts'
import { CompanyMark } from '../company/company-mark.tsx'
import { useNodeTroubles } from '../connection-choice/use-node-troubles.ts'
import { useEditor, useEditorState } from '../editor-context.ts'
import { useSettled } from '../fields/use-settled.ts'
import type { DrawnNode } from '../geometry/drawn-nodes.ts'
import classes from './node-marks.module.css'

/** What people have to look at: what is wrong with the node, and what the others are about there. */
export function ProblemMark({ drawn }: { readonly drawn: DrawnNode }) {
  return (
    <>
      <Problems drawn={drawn} />
      <CompanyMark node={drawn.node.id} />
    </>
  )
}

/** A node without connections need not ask what its context gives: there may be a thousand of them. */
function Problems({ drawn }: { readonly drawn: DrawnNode }) {
  const { id } = drawn.node
  const faults = useEditorState(({ faults, untouched }) =>
    untouched.has(id) ? 0 : (faults.countOfNode.get(id) ?? 0)
  )
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

/** What becomes of the data that reaches a node that does not run. */
export function DisabledMark({ drawn }: { readonly drawn: DrawnNode }) {
  return (
    <span className={classes.unwired} title="It does not run. D enables it.">
      {disabledWords(drawn.component)}
    </span>
  )
}
