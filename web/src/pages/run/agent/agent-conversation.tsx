import { useState } from 'react'
import { Link } from 'react-router'
import { useConversation } from '../../../api/conversation.ts'
import type { AgentTurn, Run, ToolCall } from '../../../api/shapes.ts'
import { duration } from '../../../design/format-time.ts'
import { LoadingState } from '../../../design/loading-state.tsx'
import { LongMessage } from '../../../design/long-message.tsx'
import { ProblemNote } from '../../../design/problem-note.tsx'
import { DetailsSection } from '../details/details-section.tsx'
import classes from './agent-conversation.module.css'
import { ReplayFromDialog } from './replay-from-dialog.tsx'
import { ToolCallView } from './tool-call-view.tsx'
import { tokenWords, totalOf } from './turn-words.ts'

interface AgentConversationProps {
  readonly run: Run
  readonly node: string
  readonly title: string
}

/** What an agent was asked, thought, said and called, in order; while it works, too. */
export function AgentConversation({ run, node, title }: AgentConversationProps) {
  const { data: turns, error } = useConversation(run.id, node)
  const [replayed, setReplayed] = useState<ToolCall>()
  const canReplay = run.finished_at !== null && run.parent === null
  if (turns === undefined && error === null) return <LoadingState rows={2} height={56} />
  return (
    <div className={classes.conversation}>
      <DetailsSection title={`Conversation of ${title}`} beside={<Total turns={turns ?? []} />}>
        {error !== null && <ProblemNote error={error} />}
        {turns?.length === 0 && <p className={classes.nothing}>Its model has answered nothing yet.</p>}
        <ol className={classes.turns}>
          {(turns ?? []).map((turn, at) => (
            <Turn
              key={turn.index}
              turn={turn}
              number={at + 1}
              onReplay={canReplay ? setReplayed : undefined}
            />
          ))}
        </ol>
      </DetailsSection>
      {replayed !== undefined && (
        <ReplayFromDialog run={run} node={node} call={replayed} onClose={() => setReplayed(undefined)} />
      )}
    </div>
  )
}

function Total({ turns }: { readonly turns: readonly AgentTurn[] }) {
  if (turns.length === 0) return null
  return <span className={classes.facts}>{totalOf(turns)}</span>
}

interface TurnProps {
  readonly turn: AgentTurn
  readonly number: number
  readonly onReplay: ((call: ToolCall) => void) | undefined
}

function Turn({ turn, number, onReplay }: TurnProps) {
  const { run_id, thought, text, calls, usage, duration_ms } = turn
  const facts = [usage.model, ...(duration_ms === null ? [] : [duration(duration_ms)]), tokenWords(usage)]
  return (
    <li className={classes.turn}>
      <div className={classes.head}>
        <h3 className={classes.number}>Question {number}</h3>
        <span className={classes.facts}>{facts.join(' · ')}</span>
        <Link to={`/runs/${run_id}`} className={classes.link}>
          Look into question {number}
        </Link>
      </div>
      {thought !== undefined && (
        <details className={classes.thought}>
          <summary>Thought</summary>
          <LongMessage className={classes.said!} message={thought} />
        </details>
      )}
      {text !== '' && <LongMessage className={classes.said!} message={text} />}
      {calls.length > 0 && (
        <ul className={classes.calls}>
          {calls.map((call) => (
            <li key={call.index}>
              <ToolCallView call={call} onReplay={onReplay} />
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}
