import { useCallback, useRef } from 'react'
import type { RunRows } from '../feed/run-rows.ts'
import { choose, isChosen, NOTHING_CHOSEN, type Selection } from '../selection.ts'

export interface RunChoice {
  readonly selection: Selection
  readonly toggle: (id: string, index: number, isRange: boolean) => void
  readonly chooseLoaded: () => void
  readonly chooseNone: () => void
}

/** Choosing rows: one by one, from the last one to another with Shift, or all that are loaded. */
export function useRunChoice(
  rows: RunRows,
  selection: Selection,
  onChange: (selection: Selection) => void
): RunChoice {
  // Read when something is chosen, not when rows are drawn: a row is drawn again only when it changes.
  const newest = useRef({ rows, selection, onChange })
  newest.current = { rows, selection, onChange }
  const anchor = useRef<number | undefined>(undefined)
  const toggle = useCallback((id: string, index: number, isRange: boolean) => {
    const { rows, selection, onChange } = newest.current
    const from = isRange ? (anchor.current ?? index) : index
    const between = rows.slice(Math.min(from, index), Math.max(from, index) + 1).map((run) => run.id)
    const isOn = isRange || !isChosen(selection, id)
    if (!isRange) anchor.current = index
    onChange(choose(selection, { ids: between, loaded: rows.map((run) => run.id), isOn }))
  }, [])
  const chooseLoaded = useCallback(() => {
    const { rows, onChange } = newest.current
    onChange({ kind: 'some', ids: new Set(rows.map(({ id }) => id)) })
  }, [])
  const chooseNone = useCallback(() => newest.current.onChange(NOTHING_CHOSEN), [])
  return { selection, toggle, chooseLoaded, chooseNone }
}
