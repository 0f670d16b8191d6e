import { ActionIcon, Button, Menu } from '@mantine/core'
import { useState } from 'react'
import { copyText } from '../../design/copy-text.ts'
import { IconCopy, IconDots, IconEdit, IconEyeOff, IconPlus } from '../../design/icons/page-icons.ts'
import { LoadingState } from '../../design/loading-state.tsx'
import { notifyDone } from '../../design/notify.tsx'
import { RelativeTime } from '../../design/relative-time.tsx'
import { RenameSessionDialog } from './rename-session-dialog.tsx'
import classes from './session-list.module.css'
import { DEFAULT_SESSION, previewOf } from './sessions.ts'
import type { ListedSession, Sessions } from './use-sessions.ts'

interface SessionListProps {
  readonly sessions: Sessions
  readonly onChosen?: () => void
  /** Where it stands in something that has its title. */
  readonly isTitled?: boolean
}

export function SessionList({ sessions, onChosen, isTitled = false }: SessionListProps) {
  const [renamed, setRenamed] = useState<ListedSession>()
  const choose = (session: string) => {
    sessions.show(session)
    onChosen?.()
  }
  return (
    <div className={classes.sessions}>
      <div className={classes.head}>
        {!isTitled && <h2 className={classes.title}>Sessions</h2>}
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => {
            sessions.create()
            onChosen?.()
          }}
        >
          New session
        </Button>
      </div>
      {sessions.isPending ? (
        <LoadingState rows={3} height={52} />
      ) : (
        <ul className={classes.list}>
          {sessions.all.map((session) => (
            <SessionRow
              key={session.session}
              of={session}
              isShown={session.session === sessions.shown}
              onChoose={() => choose(session.session)}
              onRename={() => setRenamed(session)}
              onForget={() => sessions.forget(session.session)}
            />
          ))}
        </ul>
      )}
      {(sessions.loadOlder !== undefined || sessions.isLoadingOlder) && (
        <Button
          variant="subtle"
          size="compact-sm"
          className={classes.loadOlder!}
          loading={sessions.isLoadingOlder}
          onClick={sessions.loadOlder}
        >
          Load older sessions
        </Button>
      )}
      <RenameSessionDialog
        session={renamed}
        onClose={() => setRenamed(undefined)}
        onRename={(name) => renamed !== undefined && sessions.rename(renamed.session, name)}
      />
    </div>
  )
}

interface SessionRowProps {
  readonly of: ListedSession
  readonly isShown: boolean
  readonly onChoose: () => void
  readonly onRename: () => void
  readonly onForget: () => void
}

function SessionRow({ of: { session, name, newest, unseen }, isShown, ...on }: SessionRowProps) {
  const isForgettable = newest === null && session !== DEFAULT_SESSION
  const copyName = async () => {
    if (await copyText(session)) notifyDone('The name of the session was copied.')
  }
  return (
    <li className={classes.row} data-shown={isShown || undefined}>
      <button
        type="button"
        className={classes.choose}
        onClick={on.onChoose}
        aria-current={isShown ? 'true' : undefined}
      >
        <span className={classes.line}>
          <span className={classes.name}>{name}</span>
          {unseen > 0 && (
            <span className={classes.unseen}>
              {unseen > 99 ? '99+' : unseen}
              <span className="visually-hidden"> new</span>
            </span>
          )}
          {newest !== null && (
            <span className={classes.time}>
              <RelativeTime at={newest.created_at} />
            </span>
          )}
        </span>
        <span className={classes.preview}>
          {newest === null ? 'No messages yet' : `${newest.sender}: ${previewOf(newest.text)}`}
        </span>
      </button>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon size="md" className={classes.menu!} aria-label={`Actions for the session ${name}`}>
            <IconDots size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconEdit size={16} />} onClick={on.onRename}>
            Rename
          </Menu.Item>
          <Menu.Item leftSection={<IconCopy size={16} />} onClick={() => void copyName()}>
            Copy the name
          </Menu.Item>
          {isForgettable && (
            <Menu.Item leftSection={<IconEyeOff size={16} />} onClick={on.onForget}>
              Remove from the list
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
    </li>
  )
}
