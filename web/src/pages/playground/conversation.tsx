import { Button } from '@mantine/core'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { DraftTurns } from '../../api/messages.ts'
import { useMay } from '../../api/session.ts'
import type { Flow } from '../../api/shapes.ts'
import { EmptyState } from '../../design/empty-state.tsx'
import { ErrorState } from '../../design/error-state.tsx'
import { IconChevronDown, IconMessages } from '../../design/icons/page-icons.ts'
import { LoadingState } from '../../design/loading-state.tsx'
import { Composer, type Proposed } from './composer.tsx'
import classes from './conversation.module.css'
import { LogRoom } from './log-room.tsx'
import { OpenTurns } from './open-turns.tsx'
import { StartFromOutside } from './start-from-outside.tsx'
import { type TimelineItem, timelineOf } from './timeline.ts'
import { TimelineRow } from './timeline-row.tsx'
import { useFollowEnd } from './use-follow-end.ts'
import type { ReceivedOfFlow } from './use-received.ts'
import { type SessionLog, useSessionLog } from './use-session-log.ts'

interface ConversationProps {
  readonly flow: Flow
  readonly session: string
  readonly sessionName: string
  readonly received: ReceivedOfFlow
  /** What was typed here, by the run that it started. */
  readonly sent: ReadonlyMap<string, string>
  readonly onSent: (runId: string, text: string) => void
  readonly onChooseSession: () => void
  /** In a narrow room beside something else: what is said is a test. */
  readonly drafts?: DraftTurns
  /** Its sessions stand beside it. */
  readonly isWide?: boolean
}

/** One session: its log, and below it the way to say something. */
export function Conversation({
  flow,
  session,
  sessionName,
  received,
  sent,
  drafts,
  isWide = false,
  ...on
}: ConversationProps) {
  const [anchor, setAnchor] = useState<string | null>(null)
  const log = useSessionLog({ flow: flow.id, session }, received, anchor)
  const follow = useFollowEnd(log.messages[0]?.id)
  const unseen = useAnchor(follow.isFollowing, log, setAnchor)
  const isEmpty = log.messages.length === 0 && log.turns.failed.length === 0 && log.turns.open.length === 0
  const hasChatInput = flow.nodes.some(({ type }) => type === 'chat-input')
  const agents = useMemo(
    () => flow.nodes.filter(({ type }) => type === 'agent').map(({ id }) => id),
    [flow.nodes]
  )
  const mayRate = useMay('trigger')
  const [proposed, setProposed] = useState<Proposed>()
  const edit = useCallback((text: string) => setProposed({ text }), [])
  return (
    <section
      className={classes.conversation}
      data-narrow={(drafts !== undefined && !isWide) || undefined}
      aria-label={`Session ${sessionName}`}
    >
      <div className={classes.choose}>
        <Button
          variant="default"
          fullWidth
          justify="space-between"
          rightSection={<IconChevronDown size={16} aria-hidden />}
          onClick={on.onChooseSession}
        >
          <span>
            <span className={classes.quiet}>Session </span>
            {sessionName}
          </span>
        </Button>
      </div>
      <LogRoom follow={follow} unseen={unseen} label={`Messages of ${sessionName}`}>
        {log.isPending && <LoadingState rows={4} height={64} />}
        {log.error !== null && <ErrorState error={log.error} onRetry={log.refetch} />}
        {!log.isPending && log.error === null && isEmpty && <NothingYet hasChatInput={hasChatInput} />}
        <Earlier log={log} />
        <Items
          log={log}
          sent={sent}
          agents={agents}
          onEdit={hasChatInput ? edit : undefined}
          rated={mayRate ? flow.id : undefined}
        />
        <OpenTurns
          turns={log.turns.open}
          messages={log.messages}
          sent={sent}
          flow={flow}
          calls={received.calls}
        />
      </LogRoom>
      <div className={classes.foot}>
        {hasChatInput ? (
          <Composer
            flow={flow.id}
            session={session}
            drafts={drafts}
            proposed={proposed}
            onSent={(runId, text) => {
              on.onSent(runId, text)
              follow.goToEnd()
            }}
          />
        ) : (
          <StartFromOutside flow={flow} drafts={drafts} />
        )}
      </div>
    </section>
  )
}

/** Remembers the last message that was seen when a reader leaves the end, and counts what comes after it. */
function useAnchor(
  isFollowing: boolean,
  { messages, receivedCount }: SessionLog,
  setAnchor: (id: string | null) => void
): number {
  const [leftAt, setLeftAt] = useState<number | null>(null)
  const newest = useRef({ id: messages.at(-1)?.id ?? null, receivedCount })
  useEffect(() => {
    if (isFollowing) {
      setAnchor(null)
      setLeftAt(null)
    } else {
      setAnchor(newest.current.id)
      setLeftAt(newest.current.receivedCount)
    }
  }, [isFollowing, setAnchor])
  useEffect(() => {
    newest.current = { id: messages.at(-1)?.id ?? null, receivedCount }
  })
  return leftAt === null ? 0 : receivedCount - leftAt
}

interface ItemsProps {
  readonly log: SessionLog
  readonly sent: ReadonlyMap<string, string>
  readonly agents: readonly string[]
  readonly onEdit: ((text: string) => void) | undefined
  readonly rated: string | undefined
}

const NO_AGENTS: readonly string[] = []

function Items({ log, sent, agents, onEdit, rated }: ItemsProps) {
  const items = timelineOf(log.messages, log.turns.failed, !log.hasEarlier)
  const isFirst = firstOfRuns(items)
  const printed = new Set(log.messages.filter(({ sender }) => sender === 'User').map(({ run_id }) => run_id))
  return (
    <ol className={classes.items}>
      {items.map((item) => (
        <TimelineRow
          key={item.key}
          item={item}
          agents={isFirst(item) ? agents : NO_AGENTS}
          onEdit={onEdit}
          rated={rated}
          typed={
            item.kind === 'failed' && !printed.has(item.turn.runId) ? sent.get(item.turn.runId) : undefined
          }
        />
      ))}
    </ol>
  )
}

/** Tells the first thing that a run says by itself: what it called stands there. */
function firstOfRuns(items: readonly TimelineItem[]): (item: TimelineItem) => boolean {
  const first = new Map<string, string>()
  for (const item of items) {
    const runId = saidBy(item)
    if (runId !== undefined && !first.has(runId)) first.set(runId, item.key)
  }
  return (item) => first.get(saidBy(item) ?? '') === item.key
}

function saidBy(item: TimelineItem): string | undefined {
  if (item.kind === 'failed') return item.turn.runId
  return item.kind === 'message' && item.message.sender !== 'User' ? item.message.run_id : undefined
}

function NothingYet({ hasChatInput }: { readonly hasChatInput: boolean }) {
  return (
    <EmptyState icon={IconMessages} title="Nothing here yet" help="chat">
      {hasChatInput
        ? 'What you type below goes through Chat Input; what Chat Output prints appears here.'
        : 'What Chat Output prints appears here as soon as a run prints it.'}
    </EmptyState>
  )
}

function Earlier({ log }: { readonly log: SessionLog }) {
  if (!log.hasEarlier) return null
  return (
    <div className={classes.earlier}>
      <Button variant="default" size="compact-md" loading={log.isLoadingEarlier} onClick={log.showEarlier}>
        Earlier messages
      </Button>
    </div>
  )
}
