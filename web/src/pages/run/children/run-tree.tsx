import { Anchor } from '@mantine/core'
import { useState } from 'react'
import { isItem, itemName } from '../../../api/items.ts'
import type { Run, RunSummary } from '../../../api/shapes.ts'
import { IconChevronDown, IconChevronRight } from '../../../design/icons/page-icons.ts'
import { shortId } from '../../runs/list/short-id.ts'
import { DetailsSection } from '../details/details-section.tsx'
import classes from './children.module.css'
import { RunRow } from './run-row.tsx'
import { inOrder } from './strip-view.ts'
import { useFollowChildren, useRunsAbove, useStarted } from './use-children.ts'

interface RunTreeProps {
  readonly run: Run
  /** It has nodes that start runs. */
  readonly startsRuns: boolean
}

/** The runs above this one, and those below it, level by level. */
export function RunTree({ run, startsRuns }: RunTreeProps) {
  const { data: above = [] } = useRunsAbove(run)
  const tree = above.reduceRight<React.ReactNode>(
    (below, each) => (
      <ul key={each.id} className={classes.level}>
        <li>
          <RunRow run={each} />
          {below}
        </li>
      </ul>
    ),
    <ul className={classes.level}>
      {startsRuns ? (
        <Branch run={run} isHere />
      ) : (
        <li>
          <RunRow run={run} isHere />
        </li>
      )}
    </ul>
  )
  return (
    <div className={classes.strip}>
      <DetailsSection title="Tree of runs">{tree}</DetailsSection>
    </div>
  )
}

interface BranchProps {
  readonly run: RunSummary
  /** The run whose page this is. */
  readonly isHere?: boolean
}

/** A run that unfolds into those that it started. */
function Branch({ run, isHere = false }: BranchProps) {
  const [isOpen, setOpen] = useState(isHere)
  const Arrow = isOpen ? IconChevronDown : IconChevronRight
  const name = isItem(run) ? itemName(run).toLowerCase() : `run ${shortId(run.id)}`
  return (
    <li>
      <div className={classes.branch}>
        <button
          type="button"
          className={classes.fold}
          aria-expanded={isOpen}
          aria-label={`What ${name} started`}
          onClick={() => setOpen(!isOpen)}
        >
          <Arrow size={14} aria-hidden />
        </button>
        <RunRow run={run} isHere={isHere} />
      </div>
      {isOpen && (isHere ? <Level parent={run.id} /> : <FollowedLevel parent={run.id} />)}
    </li>
  )
}

/** What this run started is followed by its page; what others started, from here. */
function FollowedLevel({ parent }: { readonly parent: string }) {
  useFollowChildren(parent)
  return <Level parent={parent} />
}

/** In the order of their places. Those that came before are above, as they are in the list. */
function Level({ parent }: { readonly parent: string }) {
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = useStarted(parent)
  if (data === undefined) return <p className={classes.empty}>…</p>
  const runs = inOrder(data.pages.flatMap((page) => page.runs))
  if (runs.length === 0) return <p className={classes.empty}>It started no runs.</p>
  return (
    <>
      {hasNextPage && (
        <p className={classes.empty}>
          The last {runs.length.toLocaleString('en')} are shown.{' '}
          <Anchor
            component="button"
            type="button"
            aria-disabled={isFetchingNextPage || undefined}
            onClick={() => void fetchNextPage()}
          >
            Show earlier ones
          </Anchor>
        </p>
      )}
      <ul className={classes.level}>
        {runs.map((run) => (
          <Branch key={run.id} run={run} />
        ))}
      </ul>
    </>
  )
}
