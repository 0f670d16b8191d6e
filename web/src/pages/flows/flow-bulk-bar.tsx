import { ActionIcon, Button, UnstyledButton } from '@mantine/core'
import { useMay } from '../../api/session.ts'
import type { ListedFlow } from '../../api/shapes.ts'
import { IconFileExport, IconTag } from '../../design/icons/list-icons.ts'
import {
  IconFolder,
  IconPlayerPause,
  IconPlayerPlay,
  IconTrash,
  IconX
} from '../../design/icons/page-icons.ts'
import { saveFile } from '../../design/save-file.ts'
import type { FlowActions } from '../../flow-parts/use-flow-actions.ts'
import classes from './flow-bulk-bar.module.css'
import { exportedTexts } from './flow-file.ts'
import type { OpenDialog } from './open-dialog.ts'
import type { FlowChoice } from './use-flow-choice.ts'

interface FlowBulkBarProps {
  readonly flows: readonly ListedFlow[]
  /** How many could be chosen. */
  readonly among: number
  readonly choice: FlowChoice
  readonly actions: FlowActions
  readonly onDialog: OpenDialog
}

/** What can be done with the flows that are chosen. */
export function FlowBulkBar({ flows, among, choice, actions, onDialog }: FlowBulkBarProps) {
  const mayWrite = useMay('write')
  const paused = flows.filter((flow) => flow.paused)
  const running = flows.filter((flow) => !flow.paused)
  return (
    <section className={classes.bar} aria-label="Chosen flows">
      <div className={classes.count} role="status">
        {flows.length.toLocaleString()} chosen
      </div>
      {flows.length < among && (
        <UnstyledButton className={classes.widen} onClick={choice.chooseAll}>
          Choose all {among.toLocaleString()}
        </UnstyledButton>
      )}
      <div className={classes.actions}>
        {mayWrite && running.length > 0 && (
          <Tool Icon={IconPlayerPause} onClick={() => onDialog({ kind: 'pause', flows: running })}>
            Pause
          </Tool>
        )}
        {mayWrite && paused.length > 0 && (
          <Tool Icon={IconPlayerPlay} onClick={() => void actions.resume(paused)}>
            Resume
          </Tool>
        )}
        {mayWrite && (
          <>
            <Tool Icon={IconTag} onClick={() => onDialog({ kind: 'tags', flows })}>
              Tags
            </Tool>
            <Tool Icon={IconFolder} onClick={() => onDialog({ kind: 'move', flows })}>
              Move
            </Tool>
          </>
        )}
        <Tool Icon={IconFileExport} onClick={() => saveFile('flows.json', exportedTexts(flows))}>
          Export
        </Tool>
        {mayWrite && (
          <Tool Icon={IconTrash} onClick={() => void actions.remove(flows)}>
            Delete
          </Tool>
        )}
      </div>
      <ActionIcon aria-label="Choose none" onClick={choice.chooseNone}>
        <IconX size={16} aria-hidden />
      </ActionIcon>
    </section>
  )
}

interface ToolProps {
  readonly Icon: typeof IconX
  readonly onClick: () => void
  readonly children: React.ReactNode
}

function Tool({ Icon, onClick, children }: ToolProps) {
  return (
    <Button size="xs" variant="default" leftSection={<Icon size={14} aria-hidden />} onClick={onClick}>
      {children}
    </Button>
  )
}
