import { Select } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { RUN_STATUSES } from '../../../../../src/runs/present/run-status.ts'
import type { RunStatus } from '../../../api/shapes.ts'
import { appearanceOf } from '../../../design/state-badge.tsx'
import { SearchField } from '../../../shell/search-field.tsx'
import type { FlowChoice } from '../use-flow-choices.ts'
import classes from './filter-bar.module.css'
import type { RunFilter, TestFilter } from './run-filter.ts'
import { TimeFilter } from './time-filter.tsx'

interface FilterBarProps {
  readonly filter: RunFilter
  readonly onChange: (changes: Partial<RunFilter>) => void
  /** Empty where the list is that of one flow. */
  readonly flows: readonly FlowChoice[]
  readonly children?: React.ReactNode
}

const STATE_CHOICES = RUN_STATUSES.map((state) => ({ value: state, label: appearanceOf(state).word }))

const TEST_CHOICES: readonly { readonly value: TestFilter; readonly label: string }[] = [
  { value: 'without', label: 'Without tests' },
  { value: 'only', label: 'Tests only' }
]

export function FilterBar({ filter, onChange, flows, children }: FilterBarProps) {
  return (
    <search className={classes.bar}>
      <RunSearch text={filter.text} onChange={(text) => onChange({ text })} />
      <Select
        className={classes.choice!}
        aria-label="State"
        placeholder="Any state"
        clearable
        data={STATE_CHOICES}
        value={filter.state || null}
        onChange={(state) => onChange({ state: (state ?? '') as RunStatus | '' })}
      />
      {flows.length > 0 && (
        <Select
          className={classes.choice!}
          classNames={{ dropdown: classes.choices! }}
          // As wide as names are, not as the field is.
          comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
          aria-label="Flow"
          placeholder="Any flow"
          clearable
          searchable
          limit={100}
          nothingFoundMessage="No flow by that name"
          data={flowChoices(flows, filter.flow)}
          value={filter.flow || null}
          onChange={(flow) => onChange({ flow: flow ?? '' })}
        />
      )}
      <Select
        className={classes.choice!}
        aria-label="Tests"
        placeholder="With tests"
        clearable
        data={TEST_CHOICES}
        value={filter.tests || null}
        onChange={(tests) => onChange({ tests: (tests ?? '') as TestFilter | '' })}
      />
      <TimeFilter filter={filter} onChange={onChange} />
      <div className={classes.beside}>{children}</div>
    </search>
  )
}

/** How long somebody has to pause before a search begins: each one may go through every input that is stored. */
const PAUSE_MS = 250

const SEARCH = { id: 'runs.search', title: 'Search runs', group: 'Runs' }

interface RunSearchProps {
  readonly text: string
  readonly onChange: (text: string) => void
}

function RunSearch({ text, onChange }: RunSearchProps) {
  const [typed, setTyped] = useState(text)
  /** What was searched for here and is not in the address yet. */
  const underWay = useRef<readonly string[]>([])
  const search = useDebouncedCallback((next: string) => {
    underWay.current = [...underWay.current, next]
    onChange(next)
  }, PAUSE_MS)
  useEffect(() => {
    const place = underWay.current.indexOf(text)
    underWay.current = place === -1 ? [] : underWay.current.slice(place + 1)
    // Whoever has typed on since must not lose letters to what comes back. Anything else was not typed here.
    if (place === -1) setTyped(text)
  }, [text])
  const type = (next: string) => {
    setTyped(next)
    search(next)
  }
  return (
    <SearchField command={SEARCH} placeholder="Search inputs, errors, run ids" text={typed} onChange={type} />
  )
}

/** A flow that is gone can still be asked for: its runs are there. */
function flowChoices(flows: FilterBarProps['flows'], chosen: string) {
  const choices = flows.map(({ id, name }) => ({ value: id, label: name }))
  const isKnown = chosen === '' || choices.some(({ value }) => value === chosen)
  return isKnown ? choices : [...choices, { value: chosen, label: 'Deleted flow' }]
}
