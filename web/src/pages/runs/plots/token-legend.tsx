import type { StatsBucket } from '../../../api/run-stats.ts'
import classes from './plots.module.css'
import { compactCount } from './token-bars.tsx'
import { usageByModel, usageOf } from './token-usage.ts'

/** How many tokens in all; which models they are of is told on hover and in the table. */
export function TokenLegend({ buckets }: { readonly buckets: readonly StatsBucket[] }) {
  const used = usageOf(buckets)
  if (used === null) return null
  const models = usageByModel(buckets)
    .map(
      (each) =>
        `${each.model}: ${each.input_tokens.toLocaleString()} in, ${each.output_tokens.toLocaleString()} out`
    )
    .join('\n')
  const parts = [
    { name: 'in', word: 'In', tokens: used.input_tokens },
    { name: 'out', word: 'Out', tokens: used.output_tokens }
  ]
  return (
    <ul className={classes.legend} title={models}>
      {parts.map(({ name, word, tokens }) => (
        <li key={name} className={classes.legendItem}>
          <span className={classes.swatch} data-tokens={name} aria-hidden />
          {word} <strong>{compactCount(tokens)}</strong>
        </li>
      ))}
    </ul>
  )
}
