import { useNavigate } from 'react-router'
import type { RunRows } from '../feed/run-rows.ts'

interface RowKeys {
  readonly rows: RunRows
  /** The row that the keyboard is on. */
  readonly active: number
  /** Rows that fit into the window. */
  readonly page: number
  readonly goTo: (index: number) => void
  /** Chooses the row, or all between the last one chosen and this. */
  readonly toggle: (id: string, index: number, isRange: boolean) => void
  readonly chooseAll: () => void
  readonly chooseNone: () => void
}

/** The keys of a list whose rows can be chosen, as file managers have them. */
export function useRowKeys(keys: RowKeys): (event: React.KeyboardEvent) => void {
  const navigate = useNavigate()
  const { rows, active, page, goTo, toggle } = keys
  const move = (event: React.KeyboardEvent, to: number) => {
    const index = Math.max(0, Math.min(rows.length - 1, to))
    if (event.shiftKey) toggle(rows[index]!.id, index, true)
    goTo(index)
  }
  const actions: Readonly<Record<string, (event: React.KeyboardEvent) => void>> = {
    ArrowDown: (event) => move(event, active + 1),
    ArrowUp: (event) => move(event, active - 1),
    PageDown: (event) => move(event, active + page),
    PageUp: (event) => move(event, active - page),
    Home: (event) => move(event, 0),
    End: (event) => move(event, rows.length - 1),
    ' ': (event) => toggle(rows[active]!.id, active, event.shiftKey),
    Enter: () => void navigate(`/runs/${rows[active]!.id}`),
    Escape: keys.chooseNone
  }
  return (event) => {
    if (rows.length === 0 || event.altKey) return
    const isMod = event.ctrlKey || event.metaKey
    const action = isMod ? (event.key === 'a' ? keys.chooseAll : undefined) : actions[event.key]
    if (action === undefined) return
    event.preventDefault()
    action(event)
  }
}
