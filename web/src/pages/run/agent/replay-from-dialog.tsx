import { useNavigate } from 'react-router'
import type { JsonValue } from '../../../../../src/flows/json/exact-json.ts'
import { useReplayFromCall } from '../../../api/conversation.ts'
import type { Run, ToolCall } from '../../../api/shapes.ts'
import { notifyDone } from '../../../design/notify.tsx'
import { EditedValueDialog } from '../edited-value-dialog.tsx'

interface ReplayFromDialogProps {
  readonly run: Run
  readonly node: string
  readonly call: ToolCall
  readonly onClose: () => void
}

/** What a tool gave, to be changed; then the agent goes on from there in a run of its own. */
export function ReplayFromDialog({ run, node, call, onClose }: ReplayFromDialogProps) {
  const navigate = useNavigate()
  const replay = useReplayFromCall(run.id, node)
  const goTo = ({ run_id }: { readonly run_id: string }) => {
    notifyDone('Replayed')
    onClose()
    void navigate(`/runs/${run_id}`)
  }
  return (
    <EditedValueDialog
      title={`Replay from ${call.name}`}
      lead="A new run, marked as a test, goes on as if the call had given what stands below. Nothing before it is asked or called again. What the agent calls after it, and the nodes that follow the agent, act for real."
      label={`Result of ${call.name}`}
      value={(call.result ?? call.error ?? null) as JsonValue}
      word="result"
      height={240}
      action="Replay from here"
      send={{
        isPending: replay.isPending,
        error: replay.error,
        run: (result, isEdited) =>
          replay.mutate({ call: call.index, ...(isEdited && { result }) }, { onSuccess: goTo })
      }}
      onClose={onClose}
    />
  )
}
