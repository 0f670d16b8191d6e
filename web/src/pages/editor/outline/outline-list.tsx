import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, useState } from 'react'
import { IconPin } from '../../../design/icons/editor-icons.ts'
import { IconAlertTriangle } from '../../../design/icons/page-icons.ts'
import { StateBadge } from '../../../design/state-badge.tsx'
import { useEditing } from '../actions/use-editing.ts'
import { ComponentIcon } from '../components/component-icon.tsx'
import { useEditorState, useNodeRun } from '../editor-context.ts'
import { useEditorSession } from '../session/session-context.ts'
import classes from './outline.module.css'
import type { OutlineRow } from './outline-rows.ts'

const ROW_HEIGHT = 34

interface OutlineListProps {
  readonly rows: readonly OutlineRow[]
  /** When it is opened; else somebody types in the search above it. */
  readonly takesFocus: boolean
}

/** One stop of the Tab key; arrows walk it, and what they come to is selected. */
export function OutlineList({ rows, takesFocus }: OutlineListProps) {
  const session = useEditorSession()
  const editing = useEditing()
  const selected = useEditorState(({ selection }) => selection.parts)
  const room = useRef<HTMLDivElement>(null)
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => room.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 8
  })
  // Of several that are selected, the one that the keys were last at.
  const [last, setLast] = useState<string | undefined>()
  const at = last !== undefined && selected.has(last) ? rows.findIndex(({ id }) => id === last) : -1
  const current = at === -1 ? rows.findIndex(({ id }) => selected.has(id)) : at
  const choose = (index: number, isAdding = false) => {
    const row = rows[index]
    if (row === undefined) return
    session.select({ parts: new Set(isAdding ? [...selected, row.id] : [row.id]), wires: new Set() })
    setLast(row.id)
    list.scrollToIndex(index)
  }
  useEffect(() => {
    if (current !== -1) list.scrollToIndex(current)
  }, [current, list])
  useFocusWhileOpen(room, takesFocus)
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.key === 'ArrowDown') choose(Math.min(rows.length - 1, current + 1), event.shiftKey)
    else if (event.key === 'ArrowUp') choose(Math.max(0, current - 1), event.shiftKey)
    else if (event.key === 'Home') choose(0)
    else if (event.key === 'End') choose(rows.length - 1)
    else if (event.key === 'Enter') focusDetails(room.current)
    else if (event.key === 'Delete' || event.key === 'Backspace') {
      editing.remove(new Set(selected))
      const next = rows[Math.min(current, rows.length - 2)]
      if (next !== undefined && !selected.has(next.id)) session.select({ parts: new Set([next.id]) })
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div
      ref={room}
      role="listbox"
      aria-multiselectable
      tabIndex={0}
      aria-label="Nodes and notes, in the order of a run"
      aria-activedescendant={current === -1 ? undefined : `outline-${rows[current]!.id}`}
      className={classes.list}
      onKeyDown={onKeyDown}
    >
      <div style={{ height: list.getTotalSize(), position: 'relative' }}>
        {list.getVirtualItems().map(({ index, start }) => (
          <Row
            key={rows[index]!.id}
            row={rows[index]!}
            isSelected={selected.has(rows[index]!.id)}
            top={start}
            onChoose={(isAdding) => choose(index, isAdding)}
            onGoTo={() => session.goTo(rows[index]!.id)}
          />
        ))}
      </div>
    </div>
  )
}

/** Whoever opens the list goes on in it, and is back where they were when it is closed. */
function useFocusWhileOpen(room: React.RefObject<HTMLElement | null>, takesFocus: boolean): void {
  useEffect(() => {
    const before = document.activeElement
    if (takesFocus) room.current?.focus({ preventScroll: true })
    return () => {
      // Somebody who closed it by going elsewhere is there already.
      if (document.activeElement === document.body && before instanceof HTMLElement) before.focus()
    }
  }, [room, takesFocus])
}

interface RowProps {
  readonly row: OutlineRow
  readonly isSelected: boolean
  readonly top: number
  readonly onChoose: (isAdding: boolean) => void
  readonly onGoTo: () => void
}

function Row({ row, isSelected, top, onChoose, onGoTo }: RowProps) {
  const run = useNodeRun(row.id)
  const icon = useEditorState(({ catalogue, flow }) =>
    row.kind !== 'node'
      ? row.kind
      : catalogue.facts(flow.nodes.find(({ id }) => id === row.id)?.type ?? '')?.icon
  )
  const isDisabled = useEditorState(
    ({ flow }) => row.kind === 'node' && flow.nodes.find(({ id }) => id === row.id)?.disabled === true
  )
  const isPassedBy = isDisabled || run?.status === 'skipped' || run?.status === 'not reached'
  const isPinned = useEditorState(({ pins }) => pins.has(row.id))
  const hasFaults = useEditorState(
    ({ faults }) => faults.ofNode.has(row.id) || faults.all.some(({ node }) => node === row.id)
  )
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list has the keyboard.
    <div
      id={`outline-${row.id}`}
      role="option"
      tabIndex={-1}
      aria-selected={isSelected}
      aria-description={row.kind === 'node' ? row.node.sentence : undefined}
      className={classes.row}
      data-faint={isPassedBy || undefined}
      data-inside={(row.kind === 'node' && row.node.inside !== undefined) || undefined}
      style={{ transform: `translateY(${top}px)`, height: ROW_HEIGHT }}
      onClick={(event) => onChoose(event.shiftKey || event.ctrlKey || event.metaKey)}
      onDoubleClick={onGoTo}
    >
      <ComponentIcon name={icon} size={16} />
      <span className={classes.rowTitle}>{row.title}</span>
      <span className={classes.rowId}>{row.id}</span>
      {row.kind === 'node' && row.node.reads.length > 0 && (
        <span className={classes.mark}>reads {row.node.reads.join(', ')}</span>
      )}
      {isDisabled && <span className={classes.mark}>disabled</span>}
      {isPinned && <IconPin size={14} aria-label="pinned" />}
      {hasFaults && <IconAlertTriangle size={14} className={classes.fault!} aria-label="has faults" />}
      {run !== undefined && <StateBadge state={run.status} iconOnly />}
    </div>
  )
}

function focusDetails(list: HTMLElement | null): void {
  const details = list?.parentElement?.querySelector<HTMLElement>('[data-details]')
  details?.querySelector<HTMLElement>('input, textarea, select, button')?.focus()
}
