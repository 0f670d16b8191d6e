import { useConversation } from '../../api/conversation.ts'
import { LoadingState } from '../../design/loading-state.tsx'
import { ProblemNote } from '../../design/problem-note.tsx'
import { ToolCallView } from '../run/agent/tool-call-view.tsx'
import classes from './tool-calls.module.css'

interface CallsOfRunProps {
  readonly runId: string
  readonly agent: string
}

/** What one agent of a run has called, with what it thought where that is told. */
export function CallsOfRun({ runId, agent }: CallsOfRunProps) {
  const { data: turns, error } = useConversation(runId, agent)
  if (error !== null) return <ProblemNote error={error} />
  if (turns === undefined) return <LoadingState rows={1} height={36} />
  const calls = turns.flatMap((turn) => turn.calls)
  if (calls.length === 0) return <p className={classes.none}>It called none.</p>
  return (
    <ul className={classes.calls}>
      {calls.map((call) => (
        <li key={call.index}>
          <ToolCallView call={call} />
        </li>
      ))}
    </ul>
  )
}
