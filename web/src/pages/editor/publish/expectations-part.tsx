import { Button } from '@mantine/core'
import { type CheckedExpectation, useChangeExpectations, useExpectations } from '../../../api/expectations.ts'
import { useMay } from '../../../api/session.ts'
import { notifyProblem } from '../../../design/notify.tsx'
import { ProblemNote } from '../../../design/problem-note.tsx'
import { useEditor } from '../editor-context.ts'
import { CaseView } from './case-view.tsx'
import { checkInWords } from './expectation-words.ts'
import classes from './publish.module.css'
import type { Readiness } from './readiness.ts'

/** What every publish is held against, and whether the draft comes to it. */
export function ExpectationsPart({ readiness }: { readonly readiness: Readiness }) {
  const { flowId } = useEditor()
  const [mayTrigger, mayRead] = [useMay('trigger'), useMay('read')]
  const reviewed = readiness.kind === 'ready' ? readiness.reviewed : undefined
  const isWanted = reviewed !== undefined && mayTrigger && mayRead
  const { data, error } = useExpectations(flowId, reviewed?.revision ?? 0, isWanted)
  const { remove } = useChangeExpectations(flowId)
  if (!isWanted || (data === undefined && error === null) || data?.expectations.length === 0) return null
  return (
    <section className={classes.part} aria-label="Expectations">
      <h3>Expectations</h3>
      {error !== null && <ProblemNote error={error} />}
      {data !== undefined && (
        <>
          <p className={classes.runs} role="status">
            {checkInWords(data)}
          </p>
          <ul className={classes.changes}>
            {inOrder(data.expectations).map((each) => (
              <li key={each.id}>
                <CaseView of={each} name={each.name}>
                  <Button
                    size="compact-xs"
                    variant="subtle"
                    w="fit-content"
                    color="red"
                    loading={remove.isPending && remove.variables === each.id}
                    onClick={() => remove.mutate(each.id, { onError: notifyProblem })}
                  >
                    Remove the expectation
                  </Button>
                </CaseView>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

const FIRST = ['failed', 'different', 'unknown', 'same']

function inOrder(expectations: readonly CheckedExpectation[]): readonly CheckedExpectation[] {
  return expectations.toSorted((a, b) => FIRST.indexOf(a.verdict) - FIRST.indexOf(b.verdict))
}
