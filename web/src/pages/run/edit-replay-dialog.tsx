import type { Run } from '../../api/shapes.ts'
import { EditedValueDialog } from './edited-value-dialog.tsx'
import type { RunActions } from './use-run-actions.ts'

interface EditReplayDialogProps {
  readonly run: Run
  readonly actions: RunActions
  readonly onClose: () => void
}

/** The input of a run, to be changed and run again. The run itself stays as it is. */
export function EditReplayDialog({ run, actions: { replay }, onClose }: EditReplayDialogProps) {
  return (
    <EditedValueDialog
      title="Edit and replay"
      lead="The value below becomes the whole input of a new run on the live version of the flow. This run stays as it is."
      label="Input of the new run"
      value={run.input}
      word="input"
      height={280}
      action="Replay with this input"
      send={{
        isPending: replay.isPending,
        error: replay.error,
        run: (input) => replay.mutate(input, { onSuccess: onClose })
      }}
      onClose={onClose}
    />
  )
}
