import type { ListedFlow } from '../../api/shapes.ts'
import { PauseDialog } from '../../flow-parts/pause-dialog.tsx'
import type { FlowActions } from '../../flow-parts/use-flow-actions.ts'
import { FailuresDialog } from './failures-dialog.tsx'
import { MoveDialog } from './move-dialog.tsx'
import type { FlowDialog } from './open-dialog.ts'
import { TagsDialog } from './tags-dialog.tsx'

interface FlowDialogsProps {
  readonly dialog: FlowDialog
  readonly allFlows: readonly ListedFlow[]
  readonly actions: FlowActions
  readonly onClose: () => void
}

/** Loaded when the first of them is opened. */
export function FlowDialogs({ dialog, allFlows, actions, onClose }: FlowDialogsProps) {
  switch (dialog.kind) {
    case 'tags':
      return <TagsDialog flows={dialog.flows} allFlows={allFlows} actions={actions} onClose={onClose} />
    case 'pause':
      return (
        <PauseDialog
          flows={dialog.flows}
          onPause={(mode) => actions.pause(dialog.flows, mode)}
          onClose={onClose}
        />
      )
    case 'move':
      return <MoveDialog flows={dialog.flows} actions={actions} onClose={onClose} />
    case 'failures':
      return <FailuresDialog failures={dialog.failures} onClose={onClose} />
  }
}
