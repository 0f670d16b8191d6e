import { useRef, useState } from 'react'
import { Link } from 'react-router'
import { itemName } from '../../../api/items.ts'
import type { RunSummary } from '../../../api/shapes.ts'
import { appearanceOf } from '../../../design/state-badge.tsx'
import classes from './children.module.css'
import { nextCell } from './strip-view.ts'

interface ItemCellsProps {
  readonly items: readonly RunSummary[]
  readonly label: string
}

/** One stop for the Tab key: arrows walk through the cells. */
export function ItemCells({ items, label }: ItemCellsProps) {
  const list = useRef<HTMLUListElement>(null)
  const [chosen, choose] = useState(0)
  const at = Math.min(chosen, items.length - 1)
  const onKeyDown = (event: React.KeyboardEvent) => {
    const cells = [...(list.current?.querySelectorAll('a') ?? [])]
    const next = nextCell(event.key, at, cells.length, columnsOf(cells))
    if (next === undefined) return
    event.preventDefault()
    cells[next]?.focus()
  }
  return (
    <ul ref={list} className={classes.cells} aria-label={label} onKeyDown={onKeyDown}>
      {items.map((item, place) => (
        <li key={item.id}>
          <Cell item={item} isStop={place === at} onFocus={() => choose(place)} />
        </li>
      ))}
    </ul>
  )
}

interface CellProps {
  readonly item: RunSummary
  readonly isStop: boolean
  readonly onFocus: () => void
}

function Cell({ item, isStop, onFocus }: CellProps) {
  const { word, tone, Icon } = appearanceOf(item.status)
  const name = `${itemName(item)}: ${word.toLowerCase()}`
  const more = item.error?.message ?? item.summary
  return (
    <Link
      to={`/runs/${item.id}`}
      className={classes.cell}
      data-tone={tone}
      tabIndex={isStop ? 0 : -1}
      aria-label={name}
      title={more === '' ? name : `${name}\n${more}`}
      onFocus={onFocus}
    >
      <Icon size={12} stroke={2.4} aria-hidden />
    </Link>
  )
}

/** Cells of the first row: the list is as wide as there is room. */
function columnsOf(cells: readonly HTMLElement[]): number {
  const top = cells[0]?.offsetTop
  return Math.max(1, cells.filter(({ offsetTop }) => offsetTop === top).length)
}
