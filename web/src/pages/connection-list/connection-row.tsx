import { Button, Tooltip } from '@mantine/core'
import { Link } from 'react-router'
import { type MadeTest, useLastTest, useTestConnection } from '../../api/connection-tests.ts'
import type { Connection } from '../../api/connections.ts'
import { useMay } from '../../api/session.ts'
import { duration } from '../../design/format-time.ts'
import { IconCircleCheck, IconCircleX } from '../../design/icons/page-icons.ts'
import { notifyProblem } from '../../design/notify.tsx'
import { RelativeTime } from '../../design/relative-time.tsx'
import classes from './connections-page.module.css'
import { flowsOf, type ListedConnection } from './find-connections.ts'
import { ModelsButton } from './models-button.tsx'
import { SignInButton } from './sign-in-button.tsx'
import { useRemove } from './use-remove.tsx'

interface ConnectionRowProps {
  readonly listed: ListedConnection
  readonly all: readonly ListedConnection[]
  readonly onChange: (connection: Connection) => void
}

/** One connection: what it is, who uses it, whether it worked when it was last tried. */
export function ConnectionRow({ listed, all, onChange }: ConnectionRowProps) {
  const { connection, kind, address } = listed
  const { name } = connection
  const test = useTestConnection(connection)
  const lastTest = useLastTest(connection)
  const remove = useRemove(listed, all)
  return (
    <li className={classes.row}>
      <div className={classes.summary}>
        <div className={classes.line}>
          <span className={classes.name}>{name}</span>
          <span className={classes.kind}>{kind}</span>
          {!connection.trusted && <PublicOnly />}
        </div>
        {address !== '' && <code className={classes.address}>{address}</code>}
        <UsedBy uses={listed.uses} />
        {lastTest !== undefined && <LastTest test={lastTest} />}
      </div>
      <div className={classes.actions}>
        <SignInButton connection={connection} />
        <ModelsButton connection={connection} />
        <Button
          variant="default"
          size="xs"
          loading={test.isPending}
          aria-label={`Test ${name}`}
          onClick={() => test.mutate(undefined, { onError: notifyProblem })}
        >
          Test
        </Button>
        <Button
          variant="default"
          size="xs"
          aria-label={`Change ${name}`}
          onClick={() => onChange(connection)}
        >
          Change
        </Button>
        <Button variant="default" size="xs" c="red" aria-label={`Delete ${name}`} onClick={remove}>
          Delete
        </Button>
      </div>
    </li>
  )
}

/** So many flows are named in a row. */
const NAMED = 4

function UsedBy({ uses }: Pick<ListedConnection, 'uses'>) {
  const mayRead = useMay('read')
  const flows = flowsOf(uses)
  if (!mayRead) return null
  if (flows.length === 0) return <div className={classes.quiet}>No flow uses it</div>
  return (
    <div className={classes.quiet}>
      Used by{' '}
      {flows.slice(0, NAMED).map(({ id, name, isDraft }, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <Link to={`/flows/${id}`}>{name}</Link>
          {isDraft && ' (its draft)'}
        </span>
      ))}
      {flows.length > NAMED && ` and ${flows.length - NAMED} more`}
    </div>
  )
}

function LastTest({ test }: { readonly test: MadeTest }) {
  const Picture = test.ok ? IconCircleCheck : IconCircleX
  return (
    <div className={classes.test} data-ok={test.ok} role="status">
      <Picture size={15} aria-hidden />
      <span>
        {test.ok ? 'Works' : 'Does not work'}: {test.message}{' '}
        <span className={classes.secondary}>
          ({duration(test.took_ms)}, <RelativeTime at={test.at} />)
        </span>
      </span>
    </div>
  )
}

function PublicOnly() {
  return (
    <Tooltip
      multiline
      w={280}
      label="Steps can reach it only if its address is public or the operator allows it. Once somebody with admin for the root saves it, steps can reach it on any network."
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the tooltip has to be reached by keyboard. */}
      <span className={classes.mark} tabIndex={0}>
        Public addresses only
      </span>
    </Tooltip>
  )
}
