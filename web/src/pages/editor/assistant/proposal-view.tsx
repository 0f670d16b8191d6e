import { Button } from '@mantine/core'
import { useEffect, useMemo } from 'react'
import type { Run } from '../../../api/shapes.ts'
import { IconCheck, IconTrash } from '../../../design/icons/page-icons.ts'
import { notifyDone } from '../../../design/notify.tsx'
import { compareFlows, summarise } from '../../../editor/compare/compare-flows.ts'
import type { Repair } from '../asked-for.ts'
import { useEditor, useEditorState } from '../editor-context.ts'
import { shownRun } from '../run/shown-run.ts'
import { ComparisonList } from '../versions/comparison-list.tsx'
import classes from './assistant.module.css'
import { ProposalTest } from './proposal-test.tsx'
import { withWhatCameSince } from './proposed-flow.ts'
import type { Proposed } from './talk.ts'

interface ProposalViewProps {
  readonly proposal: Proposed
  readonly onTested: (run: Run) => void
  readonly onRepair: ((failed: Repair) => void) | undefined
  readonly onDone: () => void
}

const KEEP = 'Keep the proposal'

/** What is proposed, on the canvas and in words, to be tested, kept or discarded. */
export function ProposalView({ proposal, onTested, onRepair, onDone }: ProposalViewProps) {
  const editor = useEditor()
  const now = useEditorState((state) => state.flow)
  const { base, flow, errors, warnings, run } = proposal
  const proposed = useMemo(() => withWhatCameSince(base, flow, now), [base, flow, now])
  const comparison = useMemo(() => compareFlows(now, proposed), [now, proposed])
  const canvas = useProposalOnCanvas({ proposed, run, isNothing: comparison.isSame })
  const keep = () => {
    editor.viewVersion(undefined)
    editor.execute({ kind: 'replace', document: proposed, label: KEEP })
    onDone()
    notifyDone('The proposal is the draft now. Nothing of it is live.', () => {
      if (editor.state().undoes === KEEP) editor.undo()
    })
  }
  const discard = () => {
    editor.viewVersion(undefined)
    onDone()
  }
  if (comparison.isSame) {
    return (
      <p className={classes.quiet} role="status">
        The proposal changes nothing.
      </p>
    )
  }
  return (
    <section className={classes.proposal} aria-label="Proposal">
      <p className={classes.heading}>
        <strong>{summarise(comparison)}</strong>
        {!canvas.isShown && (
          <Button size="compact-xs" variant="light" onClick={canvas.show}>
            Show on the canvas
          </Button>
        )}
      </p>
      <Faults title="Not valid yet" faults={errors} tone="wrong" />
      <Faults title="Probably unintended" faults={warnings} tone="warning" />
      <div className={classes.changes}>
        <ComparisonList comparison={comparison} isWhole />
      </div>
      <ProposalTest
        proposed={proposed}
        run={run}
        isFaulty={errors.length > 0}
        onTested={onTested}
        onRepair={onRepair}
      />
      <div className={classes.decide}>
        <Button leftSection={<IconCheck size={16} aria-hidden />} onClick={keep}>
          Keep
        </Button>
        <Button variant="default" leftSection={<IconTrash size={16} aria-hidden />} onClick={discard}>
          Discard
        </Button>
      </div>
    </section>
  )
}

interface OnCanvas {
  readonly proposed: Proposed['flow']
  readonly run: Run | undefined
  readonly isNothing: boolean
}

/** Marks it on the canvas, until the panel is closed or somebody goes back to the draft. */
function useProposalOnCanvas({ proposed, run, isNothing }: OnCanvas) {
  const editor = useEditor()
  const isShown = useEditorState(({ viewed }) => viewed?.proposed !== undefined)
  const viewed = useMemo(() => {
    const { live, flow } = editor.state()
    const shown = run === undefined ? undefined : shownRun(run)
    const facts = { version: live.version, name: null, createdAt: '', isCompared: true }
    return { ...facts, document: flow, proposed: { flow: proposed, run: shown } }
  }, [editor, proposed, run])
  useEffect(() => {
    if (!isNothing) editor.viewVersion(viewed)
    return () => editor.viewVersion(undefined)
  }, [editor, viewed, isNothing])
  return { isShown, show: () => editor.viewVersion(viewed) }
}

interface FaultsProps {
  readonly title: string
  readonly faults: Proposed['errors']
  readonly tone: 'wrong' | 'warning'
}

const MOST_SHOWN = 20

function Faults({ title, faults, tone }: FaultsProps) {
  if (faults.length === 0) return null
  return (
    <section className={classes.faults} data-tone={tone} aria-label={title}>
      <h3>{title}</h3>
      <ul>
        {faults.slice(0, MOST_SHOWN).map(({ path, message }) => (
          <li key={`${path} ${message}`}>{message}</li>
        ))}
      </ul>
      {faults.length > MOST_SHOWN && <p>and {faults.length - MOST_SHOWN} more</p>}
    </section>
  )
}
