import { isEmpty, type Selection } from '../selection.ts'
import classes from './run-list.module.css'
import type { RunChoice } from './use-run-choice.ts'

interface ChooseAllBoxProps {
  readonly rows: number
  readonly selection: Selection
  readonly choice: RunChoice
}

/** Chooses every row that is loaded, or none. */
export function ChooseAllBox({ rows, selection, choice }: ChooseAllBoxProps) {
  const isAll = selection.kind === 'all' || (rows > 0 && selection.ids.size >= rows)
  return (
    <input
      type="checkbox"
      className={classes.box}
      aria-label="Choose all rows"
      disabled={rows === 0}
      checked={isAll}
      ref={(box) => {
        if (box !== null) box.indeterminate = !isAll && !isEmpty(selection)
      }}
      onChange={isAll ? choice.chooseNone : choice.chooseLoaded}
    />
  )
}
