import { Button, Drawer } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { Link } from 'react-router'
import type { Flow } from '../../api/shapes.ts'
import { IconListDetails, IconPlus, IconTopologyStar3 } from '../../design/icons/page-icons.ts'
import { PageHeader } from '../../design/page-header.tsx'
import { useCommands } from '../../shell/commands.ts'
import { Conversation } from './conversation.tsx'
import classes from './playground.module.css'
import { SessionList } from './session-list.tsx'
import { useReceived } from './use-received.ts'
import { useSessionInAddress, useSessions } from './use-sessions.ts'

/** The log of a flow's sessions, live, and what a person can say to it. */
export function Playground({ flow }: { readonly flow: Flow }) {
  const received = useReceived(flow.id)
  const sessions = useSessions(flow.id, received.messages, useSessionInAddress())
  const [isListOpen, list] = useDisclosure(false)
  const [sent, setSent] = useState<ReadonlyMap<string, string>>(new Map())
  useCommands([
    {
      id: 'playground.new-session',
      title: 'New session',
      group: 'Playground',
      keys: 'n',
      icon: IconPlus,
      run: sessions.create
    }
  ])
  return (
    <div className={classes.playground}>
      <div className={classes.head}>
        <PageHeader
          title={flow.name}
          beside={<span className={classes.place}>Playground</span>}
          actions={<Elsewhere flow={flow} />}
        />
      </div>
      <aside className={classes.side} aria-label="Sessions" data-beside-log>
        <SessionList sessions={sessions} />
      </aside>
      <Conversation
        key={sessions.shown}
        flow={flow}
        session={sessions.shown}
        sessionName={sessions.nameOf(sessions.shown)}
        received={received}
        sent={sent}
        onSent={(runId, text) => setSent((before) => new Map(before).set(runId, text))}
        onChooseSession={list.open}
      />
      <Drawer opened={isListOpen} onClose={list.close} title="Sessions" size="min(88vw, 340px)">
        <SessionList sessions={sessions} onChosen={list.close} isTitled />
      </Drawer>
    </div>
  )
}

function Elsewhere({ flow: { id } }: { readonly flow: Flow }) {
  return (
    <>
      <Button
        component={Link}
        to={`/flows/${id}`}
        variant="default"
        className={classes.link!}
        leftSection={<IconTopologyStar3 size={16} aria-hidden />}
      >
        <span className={classes.word}>Canvas</span>
      </Button>
      <Button
        component={Link}
        to={`/flows/${id}/runs`}
        variant="default"
        className={classes.link!}
        leftSection={<IconListDetails size={16} aria-hidden />}
      >
        <span className={classes.word}>Runs</span>
      </Button>
    </>
  )
}
