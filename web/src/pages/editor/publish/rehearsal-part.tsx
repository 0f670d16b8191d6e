import { Button, Loader } from '@mantine/core'
import { useState } from 'react'
import { type RehearsalCase, useRehearsal } from '../../../api/rehearsals.ts'
import { useMay } from '../../../api/session.ts'
import { ProblemNote } from '../../../design/problem-note.tsx'
import { useEditor } from '../editor-context.ts'
import { CaseView } from './case-view.tsx'
import { KeepCase } from './keep-case.tsx'
import classes from './publish.module.css'
import type { Readiness } from './readiness.ts'
import { rehearsalInWords } from './rehearsal-words.ts'

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
          <Cases cases={data.cases} />
        </>
      )}
    </section>
  )
}

function Cases({ cases }: { readonly cases: readonly RehearsalCase[] }) {
  const [areAll, setAreAll] = useState(false)
  const others = cases.filter(({ verdict }) => verdict !== 'same')
  const shown = areAll ? cases : others.slice(0, FIRST_SHOWN)
  return (
    <>
      <ul className={classes.changes}>
        {shown.map((each) => (
          <li key={each.run_id}>
            <CaseView of={each}>
              <KeepCase of={each} />
            </CaseView>
          </li>
        ))}
      </ul>
      {shown.length < cases.length && (
        <Button size="compact-xs" variant="subtle" onClick={() => setAreAll(true)}>
          {others.length === 0 ? 'Show them' : `Show all ${cases.length}`}
        </Button>
      )}
    </>
  )
}
