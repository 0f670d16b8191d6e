import type { ReactNode } from 'react'
import type { UsageTotals } from '../../api/costs.ts'
import { costText, countText } from './amounts.ts'
import classes from './usage-page.module.css'

interface TotalsTableProps {
  readonly title: string
  readonly rows: readonly { readonly key: string; readonly name: ReactNode; readonly of: UsageTotals }[]
}

export function TotalsTable({ title, rows }: TotalsTableProps) {
  if (rows.length === 0) return null
  return (
    <div className={classes.part}>
      <h2 className={classes.title}>{title}</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys */}
      <section className={classes.scroll} tabIndex={0} aria-label={title}>
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Calls</th>
              <th scope="col">Tokens in</th>
              <th scope="col">Tokens out</th>
              <th scope="col">Cost</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ key, name, of }) => (
              <tr key={key}>
                <th scope="row">{name}</th>
                <td>{countText(of.calls)}</td>
                <td>{countText(of.input_tokens)}</td>
                <td>{countText(of.output_tokens)}</td>
                <td>
                  {costText(of.cost)}
                  {of.unpriced_calls > 0 && ' *'}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  )
}
