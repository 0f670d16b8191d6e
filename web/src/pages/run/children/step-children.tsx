import { Button, Select, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { RUN_STATUSES } from '../../../../../src/runs/present/run-status.ts'
import type { ItemCounts } from '../../../api/runs.ts'
import type { RunStatus, RunSummary } from '../../../api/shapes.ts'
import { IconSearch } from '../../../design/icons/page-icons.ts'
import { ProblemNote } from '../../../design/problem-note.tsx'
import { appearanceOf, StateBadge } from '../../../design/state-badge.tsx'
import { DetailsSection } from '../details/details-section.tsx'
import classes from './children.module.css'
import { ItemCells } from './item-cells.tsx'
import { RunRow } from './run-row.tsx'
import {
  countStates,
  inOrder,
  isFiltered,
  pageCount,
  questionOf,
  rangeWords,
  type StripFilter
} from './strip-view.ts'
import { type AllItems, useAllItems, useItems } from './use-children.ts'

interface StepChildrenProps {
  readonly run: string
  readonly node: string
  /** Of the node. */
  readonly title: string
  /** They are items of a list; else runs of another flow. */
  readonly areItems: boolean
}

/** The runs that a node of a run has started, each a cell that opens it. Nothing where it has started none. */
export function StepChildren({ run, node, title, areItems }: StepChildrenProps) {
  const all = useAllItems(run, node)
  if (all === undefined || all.total === 0) return null
  return (
    <div className={classes.strip}>
      <DetailsSection title={areItems ? `Items of ${title}` : `Runs that ${title} started`}>
        {areItems ? (
          <Strip run={run} node={node} title={title} {...all} />
        ) : (
          <StartedRuns run={run} node={node} />
        )}
      </DetailsSection>
    </div>
  )
}

/** Few, and each of another flow: a line tells more than a cell. */
function StartedRuns({ run, node }: Pick<StepChildrenProps, 'run' | 'node'>) {
  const { data } = useItems(run, node, {}, undefined)
  return (
    <ul className={classes.level}>
      {inOrder(data?.runs ?? []).map((each) => (
        <li key={each.id}>
          <RunRow run={each} />
        </li>
      ))}
    </ul>
  )
}

interface StripProps extends Omit<StepChildrenProps, 'areItems'>, AllItems {}

const EVERYTHING: StripFilter = { text: '', state: '' }

/** How long somebody has to pause before a search begins. */
const PAUSE_MS = 250

function Strip({ run, node, title, total, counts }: StripProps) {
  const [filter, setFilter] = useState(EVERYTHING)
  const [page, setPage] = useState(0)
  /** Where the pages of a filtered strip began, the one that is shown last. */
  const [cursors, setCursors] = useState<readonly string[]>([])
  const [settled] = useDebouncedValue(filter, PAUSE_MS)
  const isSought = isFiltered(settled)
  const { data, error } = useItems(
    run,
    node,
    questionOf(settled, page),
    isSought ? cursors.at(-1) : undefined
  )
  const items = inOrder(data?.runs ?? [])
  const change = (changes: Partial<StripFilter>) => {
    setFilter({ ...filter, ...changes })
    setCursors([])
  }
  return (
    <>
      {total > 1 && <Search title={title} filter={filter} onChange={change} />}
      {error !== null && <ProblemNote error={error} />}
      <Counts counts={counts} shown={items} />
      {data !== undefined && items.length === 0 ? (
        <p className={classes.noItems}>{isSought ? 'No item matches.' : 'None are left.'}</p>
      ) : (
        <ItemCells items={items} label={`Items of ${title}`} />
      )}
      {isSought ? (
        <Pager
          label=""
          onBefore={cursors.length === 0 ? undefined : () => setCursors(cursors.slice(0, -1))}
          onAfter={data?.next_cursor == null ? undefined : nextPage(data.next_cursor)}
        />
      ) : (
        <Pager
          label={total > 1 ? rangeWords(page, total) : ''}
          onBefore={page === 0 ? undefined : () => setPage(page - 1)}
          onAfter={page + 1 >= pageCount(total) ? undefined : () => setPage(page + 1)}
        />
      )}
    </>
  )

  function nextPage(cursor: string) {
    return () => setCursors([...cursors, cursor])
  }
}

interface SearchProps {
  readonly title: string
  readonly filter: StripFilter
  readonly onChange: (changes: Partial<StripFilter>) => void
}

const STATE_CHOICES = RUN_STATUSES.map((state) => ({ value: state, label: appearanceOf(state).word }))

function Search({ title, filter, onChange }: SearchProps) {
  return (
    <search className={classes.search}>
      <TextInput
        className={classes.text!}
        aria-label={`Search items of ${title}`}
        placeholder="Input, error, or #7"
        type="search"
        leftSection={<IconSearch size={16} aria-hidden />}
        value={filter.text}
        onChange={(event) => onChange({ text: event.currentTarget.value })}
      />
      <Select
        className={classes.choice!}
        aria-label={`State of items of ${title}`}
        placeholder="Any state"
        clearable
        data={STATE_CHOICES}
        value={filter.state || null}
        onChange={(state) => onChange({ state: (state ?? '') as RunStatus | '' })}
      />
    </search>
  )
}

interface CountsProps {
  readonly counts: ItemCounts | undefined
  /** If all that go on are among them, it is known how each stands. */
  readonly shown: readonly RunSummary[]
}

/** Of all items, whichever of them are shown. */
function Counts({ counts, shown }: CountsProps) {
  if (counts === undefined) return null
  return (
    <ul className={classes.counts} aria-label="By state">
      {countStates(counts, shown).map(({ state, count }) => (
        <li key={state}>
          {state === 'open' ? 'Not ended' : <StateBadge state={state} />} {count.toLocaleString('en')}
        </li>
      ))}
    </ul>
  )
}

interface PagerProps {
  readonly label: string
  readonly onBefore: (() => void) | undefined
  readonly onAfter: (() => void) | undefined
}

function Pager({ label, onBefore, onAfter }: PagerProps) {
  const isAlone = onBefore === undefined && onAfter === undefined
  if (isAlone && label === '') return null
  return (
    <div className={classes.pager}>
      <span>{label}</span>
      {!isAlone && (
        <>
          <Button size="xs" variant="default" disabled={onBefore === undefined} onClick={onBefore}>
            Back
          </Button>
          <Button size="xs" variant="default" disabled={onAfter === undefined} onClick={onAfter}>
            More
          </Button>
        </>
      )}
    </div>
  )
}
