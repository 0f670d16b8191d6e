import type { RefObject } from 'react'
import type { HeldRuns } from '../../api/held-runs.ts'
import type { ListedFlow } from '../../api/shapes.ts'
import { FlowRow } from './flow-row.tsx'
import classes from './flows-page.module.css'
import { FolderRow } from './folder-row.tsx'
import type { Folder } from './group-flows.ts'
import type { OpenDialog } from './open-dialog.ts'
import type { RowHandlers } from './row-handlers.ts'
import type { ClosedFolders } from './use-closed-folders.ts'
import type { FlowChoice } from './use-flow-choice.ts'

interface FlowListProps {
  readonly folders: readonly Folder[]
  /** Whether folders are shown as such. */
  readonly isGrouped: boolean
  readonly closed: ClosedFolders
  readonly choice: FlowChoice
  readonly held: HeldRuns
  readonly onDialog: OpenDialog
  readonly handlers: RefObject<RowHandlers>
}

/** One row per flow. Arrow keys go from one to the next, Space chooses, Shift chooses on the way. */
export function FlowList({ folders, isGrouped, closed, ...rest }: FlowListProps) {
  return (
    <ul
      className={classes.list}
      onKeyDown={(event) => handleKey(event, rest.choice)}
      aria-label="Flows"
      aria-description="Space chooses a flow, Shift with an arrow key chooses more, Escape clears the choice"
    >
      {folders.map((folder) => {
        const isClosed = isGrouped && closed.has(folder.context)
        return (
          <FolderRows
            key={folder.context}
            folder={folder}
            head={
              isGrouped && (
                <FolderRow
                  folder={folder}
                  isClosed={isClosed}
                  onToggle={() => closed.toggle(folder.context)}
                />
              )
            }
            flows={isClosed ? [] : folder.flows}
            isGrouped={isGrouped}
            {...rest}
          />
        )
      })}
    </ul>
  )
}

interface FolderRowsProps extends Omit<FlowListProps, 'folders' | 'closed'> {
  readonly folder: Folder
  readonly head: React.ReactNode
  readonly flows: readonly ListedFlow[]
}

function FolderRows({ head, flows, choice, held, isGrouped, ...rest }: FolderRowsProps) {
  return (
    <>
      {head}
      {flows.map((flow) => (
        <FlowRow
          key={flow.id}
          flow={flow}
          isChosen={choice.chosen.has(flow.id)}
          onChoose={choice.toggle}
          held={held.get(flow.id) ?? 0}
          showsContext={!isGrouped && flow.context !== '/'}
          onDialog={rest.onDialog}
          handlers={rest.handlers}
        />
      ))}
    </>
  )
}

function handleKey(event: React.KeyboardEvent<HTMLUListElement>, choice: FlowChoice): void {
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-flow-link]')]
  const at = links.indexOf(document.activeElement as HTMLElement)
  if (event.key === 'Escape' && choice.chosen.size > 0) return choice.chooseNone()
  if (at < 0 || event.altKey) return
  const idAt = (index: number) => links[index]!.dataset.flowLink!
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step !== undefined && links[at + step] !== undefined) {
    if (event.shiftKey && !choice.chosen.has(idAt(at))) choice.toggle(idAt(at), false)
    if (event.shiftKey) choice.toggle(idAt(at + step), true)
    links[at + step]!.focus()
  } else if (event.key === ' ') choice.toggle(idAt(at), event.shiftKey)
  else if (event.key === 'a' && (event.ctrlKey || event.metaKey)) choice.chooseAll()
  else return
  event.preventDefault()
}
