import { UnstyledButton } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { writeJson } from '../../../../../src/flows/json/exact-json.ts'
import type { RehearsalCase } from '../../../api/rehearsals.ts'
import { diffText } from '../../../editor/compare/diff-text.ts'
import { useEditor, useEditorState } from '../editor-context.ts'
import { ChangeView } from '../versions/change-view.tsx'
import { CaseDialog } from './case-dialog.tsx'
import classes from './publish.module.css'
import { caseInWords } from './rehearsal-words.ts'

const MARKS = { different: 'changed', failed: 'removed', unknown: 'changed', same: 'added' } as const
const LABELS = { different: 'Differs', failed: 'Fails', unknown: 'Unknown', same: 'Same' } as const

interface CaseViewProps {
  readonly of: RehearsalCase
  /** What it is called; absent: by its node. */
  readonly name?: string
  /** What can be done with it. */
  readonly children?: ReactNode
}

/** One run, or what is expected, beside what the draft comes to: folded up to a line. */
export function CaseView({ of, name, children }: CaseViewProps) {
  const editor = useEditor()
  const { run_id, verdict, node, was, is, error } = of
  const [isOpen, setIsOpen] = useState(false)
  const title = useEditorState(({ flow, catalogue }) => {
    const drawn = flow.nodes.find(({ id }) => id === node)
    return drawn === undefined ? node : catalogue.titleOf(drawn)
  })
  const words = `${title ?? 'The run'} ${caseInWords(of)}`
  const change = { isField: false, name: 'then and now', before: was, after: is ?? error }
  const showRun = () => {
    editor.viewVersion(undefined)
    editor.showRun(run_id)
    // The canvas of the draft is drawn first: who is shown the way is on the one that was there.
    if (node !== null) requestAnimationFrame(() => requestAnimationFrame(() => editor.goTo(node)))
  }
  return (
    <details className={classes.lines}>
      <summary>
        <span className={classes.mark} data-mark={MARKS[verdict]}>
          {LABELS[verdict]}
        </span>{' '}
        {name === undefined ? words : `${name}${verdict === 'same' ? '' : `: ${words}`}`}
      </summary>
      <div className={classes.compared}>
        {verdict !== 'same' && (
          <ChangeView change={{ ...change, lines: diffText(textOf(was), textOf(is ?? error)) }} />
        )}
        <p className={classes.quiet}>
          {verdict !== 'same' && (
            <>
              <UnstyledButton className={classes.caseLink} onClick={() => setIsOpen(true)}>
                Side by side
              </UnstyledButton>
              {' · '}
            </>
          )}
          <UnstyledButton className={classes.caseLink} onClick={showRun}>
            On the canvas
          </UnstyledButton>
          {' · '}
          <Link className={classes.caseLink} to={`/runs/${run_id}`}>
            The run
          </Link>
          {node !== null && (
            <>
              {' · '}
              <UnstyledButton className={classes.caseLink} onClick={() => editor.goTo(node)}>
                Show the node
              </UnstyledButton>
            </>
          )}
        </p>
        {children}
      </div>
      {isOpen && <CaseDialog title={words} was={was} is={is ?? error} onClose={() => setIsOpen(false)} />}
    </details>
  )
}

function textOf(value: unknown): string {
  return value === null || value === undefined ? '' : writeJson(value, 2)
}
