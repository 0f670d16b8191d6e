import type { Connection } from '../../api/connections.ts'
import { IconFolder } from '../../design/icons/page-icons.ts'
import { ConnectionRow } from './connection-row.tsx'
import classes from './connections-page.module.css'
import { byContext, type ListedConnection } from './find-connections.ts'

interface ConnectionListProps {
  readonly listed: readonly ListedConnection[]
  /** Also those that the search has left out. */
  readonly all: readonly ListedConnection[]
  readonly onChange: (connection: Connection) => void
}

export function ConnectionList({ listed, all, onChange }: ConnectionListProps) {
  return byContext(listed).map(([context, members]) => (
    <section key={context} className={classes.group} aria-label={`Connections of ${context}`}>
      <h2 className={classes.context}>
        <IconFolder size={15} aria-hidden />
        <span>{context}</span>
      </h2>
      <ul className={classes.list}>
        {members.map((one) => (
          <ConnectionRow key={one.connection.id} listed={one} all={all} onChange={onChange} />
        ))}
      </ul>
    </section>
  ))
}
