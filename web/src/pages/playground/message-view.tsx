import { useState } from 'react'
import { Link } from 'react-router'
import type { Message } from '../../api/messages.ts'
import { IconCpu } from '../../design/icons/list-icons.ts'
import { IconUser } from '../../design/icons/page-icons.ts'
import { ClockTime } from './clock-time.tsx'
import { MessageText } from './markdown/message-text.tsx'
import { MessageTools } from './message-tools.tsx'
import classes from './message-view.module.css'
import { RateMessage } from './rate-message.tsx'
import { RunCalls } from './run-calls.tsx'

interface MessageViewProps {
  readonly message: Message
  /** The agents of the flow, where this is the first that its run says. */
  readonly agents: readonly string[]
  /** Takes the text to the field below, to be changed and sent again. */
  readonly onEdit: ((text: string) => void) | undefined
  /** The flow, where what it says may be rated. */
  readonly rated: string | undefined
}

/** A message with who said it, when, and in which run. */
export function MessageView({ message, agents, onEdit, rated }: MessageViewProps) {
  const { sender, text, run_id, created_at } = message
  const [isPlain, setPlain] = useState(false)
  const isUser = sender === 'User'
  const Picture = isUser ? IconUser : IconCpu
  return (
    <article className={classes.message} data-user={isUser || undefined} aria-label={`Message of ${sender}`}>
      <header className={classes.head}>
        <Picture size={14} aria-hidden />
        <span className={classes.sender}>{sender}</span>
        <ClockTime at={created_at} />
        <Link to={`/runs/${run_id}`} className={classes.run} aria-label={`Run of this message, ${run_id}`}>
          Run
        </Link>
        <MessageTools
          text={text}
          isPlain={isPlain}
          onPlain={setPlain}
          onEdit={isUser && onEdit !== undefined ? () => onEdit(text) : undefined}
          rating={!isUser && rated !== undefined && <RateMessage flow={rated} message={message} />}
        />
      </header>
      <div className={classes.body} data-testid="message-text">
        <MessageText text={text} isPlain={isPlain} />
      </div>
      {!isUser && agents.length > 0 && <RunCalls runId={run_id} agents={agents} />}
    </article>
  )
}
