import { Button, Loader, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { writeJson } from '../../../../../src/flows/json/exact-json.ts'
import { type RehearsalCase, useRehearsal } from '../../../api/rehearsals.ts'
import { useMay } from '../../../api/session.ts'
import { ProblemNote } from '../../../design/problem-note.tsx'
import { diffText } from '../../../editor/compare/diff-text.ts'
import { useEditor, useEditorState } from '../editor-context.ts'
import { ChangeView } from '../versions/change-view.tsx'
import classes from './publish.module.css'
import type { Readiness } from './readiness.ts'
import { caseInWords, rehearsalInWords } from './rehearsal-words.ts'

/** More are seldom of another kind. */
const FIRST_SHOWN = 5

/** What the draft would have done with what started the last live runs. */
export function RehearsalPart({ readiness }: { readonly readiness: Readiness }) {
  const { flowId } = useEditor()
  const mayTrigger = useMay('trigger')
  const reviewed = readiness.kind === 'ready' ? readiness.reviewed : undefined
  const isWanted = reviewed !== undefined && mayTrigger
  const { data, error, isFetching } = useRehearsal(flowId, reviewed?.revision ?? 0, isWanted)
  if (!isWanted || data === null || data?.runs === 0) return null
  return (
    <section className={classes.part} aria-label="Rehearsal">
      <h3>On the last live runs</h3>
      {isFetching && (
        <p className={classes.runs} role="status">
          <Loader size={12} aria-hidden /> Trying the draft on them, without acting…
        </p>
      )}
      {error !== null && <ProblemNote error={error} />}
      {data !== undefined && (
        <>
          <p className={classes.runs} role="status">
            {rehearsalInWords(data)}
          </p>
          <Cases cases={data.cases.filter(({ verdict }) => verdict !== 'same')} />
        </>
      )}
    </section>
  )
}

function Cases({ cases }: { readonly cases: readonly RehearsalCase[] }) {
  const [areAll, setAreAll] = useState(false)
  return (
    <>
      <ul className={classes.changes}>
        {cases.slice(0, areAll ? cases.length : FIRST_SHOWN).map((each) => (
          <li key={each.run_id}>
            <Case of={each} />
          </li>
        ))}
      </ul>
      {!areAll && cases.length > FIRST_SHOWN && (
        <Button size="compact-xs" variant="subtle" onClick={() => setAreAll(true)}>
          Show all {cases.length}
        </Button>
      )}
    </>
  )
}

const MARKS = { different: 'changed', failed: 'removed', unknown: 'changed', same: 'added' } as const
const LABELS = { different: 'Differs', failed: 'Fails', unknown: 'Unknown', same: 'Same' } as const

function Case({ of: { run_id, verdict, node, was, is, error } }: { readonly of: RehearsalCase }) {
  const editor = useEditor()
  const title = useEditorState(({ flow, catalogue }) => {
    const drawn = flow.nodes.find(({ id }) => id === node)
    return drawn === undefined ? node : catalogue.titleOf(drawn)
  })
  const words = `${title ?? 'The run'} ${caseInWords({ run_id, verdict, node, was, is, error })}`
  const change = { isField: false, name: 'then and now', before: was, after: is ?? error }
  return (
    <details className={classes.lines}>
      <summary>
        <span className={classes.mark} data-mark={MARKS[verdict]}>
          {LABELS[verdict]}
        </span>{' '}
        {words}
      </summary>
      <div className={classes.compared}>
        <ChangeView change={{ ...change, lines: diffText(textOf(was), textOf(is ?? error)) }} />
        <p className={classes.quiet}>
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
      </div>
    </details>
  )
}

function textOf(value: unknown): string {
  return value === null || value === undefined ? '' : writeJson(value, 2)
}
