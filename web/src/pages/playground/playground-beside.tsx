import { Drawer } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import type { DraftTurns } from '../../api/messages.ts'
import type { Flow } from '../../api/shapes.ts'
import { Conversation } from './conversation.tsx'
import classes from './playground.module.css'
import { SessionList } from './session-list.tsx'
import { DEFAULT_SESSION } from './sessions.ts'
import { useReceived } from './use-received.ts'
import { useSessions } from './use-sessions.ts'

interface PlaygroundBesideProps {
  /** With the nodes that are drawn. */
  readonly flow: Flow
  readonly drafts: DraftTurns
  readonly isWide: boolean
}

/** The Playground in the room that something else leaves: one session, and the others a click away. */
export function PlaygroundBeside({ flow, drafts, isWide }: PlaygroundBesideProps) {
  const received = useReceived(flow.id)
  const sessions = useSessions(flow.id, received.messages, useState<string>(DEFAULT_SESSION))
  const [isListOpen, list] = useDisclosure(false)
  const [sent, setSent] = useState<ReadonlyMap<string, string>>(new Map())
  return (
    <div className={classes.beside} data-wide={isWide || undefined}>
      {isWide && (
        <aside className={classes.side} aria-label="Sessions">
          <SessionList sessions={sessions} />
        </aside>
      )}
      <Conversation
        key={sessions.shown}
        flow={flow}
        session={sessions.shown}
        sessionName={sessions.nameOf(sessions.shown)}
        received={received}
        sent={sent}
        drafts={drafts}
        isWide={isWide}
        onSent={(runId, text) => setSent((before) => new Map(before).set(runId, text))}
        onChooseSession={list.open}
      />
      <Drawer
        opened={isListOpen}
        onClose={list.close}
        position="right"
        title="Sessions"
        size="min(88vw, 340px)"
      >
        <SessionList sessions={sessions} onChosen={list.close} isTitled />
      </Drawer>
    </div>
  )
}
