// biome-ignore-all lint/a11y/useSemanticElements: rows of a list of any length stand free, a table cannot hold them.
// biome-ignore-all lint/a11y/useFocusableInteractive: a grid moves the focus from row to row; cells have none.
import type { Selection } from '../selection.ts'
import { ChooseAllBox } from './choose-all-box.tsx'
import classes from './run-list.module.css'
import type { RunChoice } from './use-run-choice.ts'

interface RunColumnsProps {
  readonly rows: number
  readonly selection: Selection
  readonly choice: RunChoice
}

/** The head of the list: what stands in each row, and the box for all of them. */
export function RunColumns({ rows, selection, choice }: RunColumnsProps) {
  return (
    <div role="row" className={classes.columns} aria-rowindex={1} data-empty={rows === 0 || undefined}>
      <span role="columnheader" className={classes.chooseAll}>
        <ChooseAllBox rows={rows} selection={selection} choice={choice} />
        <span className={classes.chooseWords} aria-hidden>
          All rows
        </span>
      </span>
      {['State', 'Run', 'Trigger', 'Accepted', 'Duration'].map((title) => (
        <span key={title} role="columnheader" className={title === 'Duration' ? classes.duration : undefined}>
          {title}
        </span>
      ))}
    </div>
  )
}
