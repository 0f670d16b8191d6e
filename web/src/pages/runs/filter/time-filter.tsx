import { Button, Popover, Stack, TextInput, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { IconCalendarTime } from '../../../design/icons/list-icons.ts'
import { IconCheck, IconX } from '../../../design/icons/page-icons.ts'
import classes from './filter-bar.module.css'
import { hasTime, type RunFilter } from './run-filter.ts'
import { RANGES, rangeOf } from './time-range.ts'
import { fromFieldText, spanWords, toFieldText } from './time-words.ts'

interface TimeFilterProps {
  readonly filter: RunFilter
  readonly onChange: (changes: Partial<RunFilter>) => void
}

const ANY_TIME = { range: '', since: '', until: '' } as const

/** When the runs were accepted: a range that ends now, or from one moment to another. */
export function TimeFilter({ filter, onChange }: TimeFilterProps) {
  const [isOpen, setOpen] = useState(false)
  const apply = (changes: Partial<RunFilter>) => {
    onChange({ ...ANY_TIME, ...changes })
    setOpen(false)
  }
  const label = timeWords(filter)
  return (
    <div className={classes.time}>
      <Popover opened={isOpen} onChange={setOpen} position="bottom-start" shadow="md" trapFocus returnFocus>
        <Popover.Target>
          <Button
            variant="default"
            className={classes.timeButton!}
            leftSection={<IconCalendarTime size={16} aria-hidden />}
            onClick={() => setOpen(!isOpen)}
            data-chosen={hasTime(filter) || undefined}
            aria-label={`Time: ${label}`}
          >
            {label}
          </Button>
        </Popover.Target>
        <Popover.Dropdown aria-label="When the runs were accepted">
          <ul className={classes.ranges}>
            <Choice label="Any time" isChosen={!hasTime(filter)} onChoose={() => apply({})} />
            {RANGES.map(({ name, label }) => (
              <Choice
                key={name}
                label={label}
                isChosen={filter.range === name}
                onChoose={() => apply({ range: name })}
              />
            ))}
          </ul>
          <SpanForm filter={filter} onApply={apply} />
        </Popover.Dropdown>
      </Popover>
      {hasTime(filter) && (
        <UnstyledButton
          className={classes.clearTime}
          onClick={() => apply({})}
          aria-label="Show runs of any time"
        >
          <IconX size={14} aria-hidden />
        </UnstyledButton>
      )}
    </div>
  )
}

function timeWords({ range, since, until }: RunFilter): string {
  if (range !== '') return rangeOf(range).label
  return since === '' && until === '' ? 'Any time' : spanWords(since, until)
}

interface ChoiceProps {
  readonly label: string
  readonly isChosen: boolean
  readonly onChoose: () => void
}

function Choice({ label, isChosen, onChoose }: ChoiceProps) {
  return (
    <li>
      <UnstyledButton className={classes.range} aria-pressed={isChosen} onClick={onChoose}>
        <span>{label}</span>
        {isChosen && <IconCheck size={14} aria-hidden />}
      </UnstyledButton>
    </li>
  )
}

interface SpanFormProps {
  readonly filter: RunFilter
  readonly onApply: (changes: Partial<RunFilter>) => void
}

function SpanForm({ filter, onApply }: SpanFormProps) {
  const [since, setSince] = useState(toFieldText(filter.since))
  const [until, setUntil] = useState(toFieldText(filter.until))
  const isBackwards = since !== '' && until !== '' && since >= until
  const submit = (event: React.FormEvent) => {
    event.preventDefault()
    if (!isBackwards) onApply({ since: fromFieldText(since), until: fromFieldText(until) })
  }
  return (
    <form onSubmit={submit} className={classes.span}>
      <Stack gap="sm">
        <TextInput
          label="From"
          type="datetime-local"
          size="xs"
          value={since}
          onChange={(event) => setSince(event.currentTarget.value)}
        />
        <TextInput
          label="Until"
          type="datetime-local"
          size="xs"
          value={until}
          error={isBackwards ? 'The end must be after the beginning.' : undefined}
          onChange={(event) => setUntil(event.currentTarget.value)}
        />
        <Button type="submit" size="xs" variant="default" disabled={since === '' && until === ''}>
          Show this time
        </Button>
      </Stack>
    </form>
  )
}
