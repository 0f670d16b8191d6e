import { UnstyledButton } from '@mantine/core'
import { flushSync } from 'react-dom'
import type { Fault } from '../../../../../src/errors.ts'
import { nodeOfEnd } from '../../../editor/graph/flow.ts'
import { type Editor, useEditor } from '../editor-context.ts'
import { useShownNames } from '../session/use-shown-names.ts'
import { showFlowSettings } from '../settings/show-flow-settings.tsx'
import classes from './publish.module.css'

interface FaultListProps {
  readonly title: string
  readonly faults: readonly Fault[]
  readonly tone: 'wrong' | 'warning'
}

const MOST_SHOWN = 20

/** What keeps a draft from being published, or is probably not meant; each leads to its node. */
export function FaultList({ title, faults, tone }: FaultListProps) {
  const editor = useEditor()
  const names = useShownNames()
  if (faults.length === 0) return null
  return (
    <section className={classes.faults} data-tone={tone} aria-label={title}>
      <h3>{title}</h3>
      <ul>
        {faults.slice(0, MOST_SHOWN).map((fault) => (
          <li key={`${fault.path} ${fault.message}`}>
            <UnstyledButton className={classes.faultLink} onClick={() => leadTo(fault, editor)}>
              {names.fault(fault)}
            </UnstyledButton>
          </li>
        ))}
      </ul>
      {faults.length > MOST_SHOWN && <p>and {faults.length - MOST_SHOWN} more</p>}
    </section>
  )
}

/** To where it can be mended. */
function leadTo(fault: Fault, editor: Editor): void {
  const node = nodeOf(fault, editor)
  // The canvas of the draft has to be there before somebody is led to a node on it.
  flushSync(() => {
    editor.closePanel()
    editor.viewVersion(undefined)
    if (node !== undefined) editor.inspect('side')
  })
  if (node === undefined) showFlowSettings(editor)
  else editor.goTo(node)
}

function nodeOf({ node, path }: Fault, editor: Editor): string | undefined {
  if (node !== undefined) return node
  const edge = /^\/edges\/(\d+)/.exec(path)?.[1]
  const end = edge === undefined ? undefined : editor.state().flow.edges[Number(edge)]?.to
  return end === undefined ? undefined : nodeOfEnd(end)
}
