import { UnstyledButton } from '@mantine/core'
import type { StatsBucket } from '../../../api/run-stats.ts'
import type { RunFilter } from '../filter/run-filter.ts'
import classes from './plots.module.css'
import { STATE_BARS, type StateBar } from './state-bar.ts'

interface StateLegendProps {
  readonly buckets: readonly StatsBucket[]
  readonly filter: RunFilter
  readonly onChange: (changes: Partial<RunFilter>) => void
}

/** How many runs ended in which way; choosing one filters for it. */
export function StateLegend({ buckets, filter, onChange }: StateLegendProps) {
  const present = STATE_BARS.filter(({ member }) => countOf(buckets, member) > 0)
  return (
    <ul className={classes.legend}>
      {present.toReversed().map((bar) => {
        const [state, ...others] = bar.states
        const label = <LegendWords bar={bar} count={countOf(buckets, bar.member)} />
        const isOn = filter.state === state
        return (
          <li key={bar.member}>
            {others.length > 0 ? (
              <span className={classes.legendItem}>{label}</span>
            ) : (
              <UnstyledButton
                className={classes.legendItem}
                aria-pressed={isOn}
                onClick={() => onChange({ state: isOn ? '' : state! })}
              >
                {label}
              </UnstyledButton>
            )}
          </li>
        )
      })}
    </ul>
  )
}

function LegendWords({ bar, count }: { readonly bar: StateBar; readonly count: number }) {
  return (
    <>
      <span className={classes.swatch} data-tone={bar.tone} data-striped={bar.isStriped} aria-hidden />
      {bar.word} <strong>{count.toLocaleString()}</strong>
    </>
  )
}

function countOf(buckets: readonly StatsBucket[], member: StateBar['member']): number {
  return buckets.reduce((sum, bucket) => sum + bucket[member], 0)
}

const LINES = [
  { name: 'p50', meaning: 'half of the runs took at most this long' },
  { name: 'p99', meaning: '99 of 100 runs took at most this long' }
]

export function DurationLegend() {
  return (
    <ul className={classes.legend}>
      {LINES.map(({ name, meaning }) => (
        <li key={name} className={classes.legendItem} title={`${name}: ${meaning}`}>
          <span className={classes.lineSwatch} data-line={name} aria-hidden />
          {name}
        </li>
      ))}
    </ul>
  )
}
