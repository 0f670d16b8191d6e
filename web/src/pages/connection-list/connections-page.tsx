import { Button } from '@mantine/core'
import { useState } from 'react'
import {
  type Connection,
  useConnectionKinds,
  useConnections,
  useConnectionUses
} from '../../api/connections.ts'
import { useMay, useSession } from '../../api/session.ts'
import { ConnectionDialog, type NewConnection } from '../../connection-forms/connection-dialog.tsx'
import { useAdministersAny } from '../../connection-forms/use-administered.ts'
import { EmptyState } from '../../design/empty-state.tsx'
import { ErrorState } from '../../design/error-state.tsx'
import { IconLock, IconPlug, IconPlus, IconSearchOff } from '../../design/icons/page-icons.ts'
import { LoadingState } from '../../design/loading-state.tsx'
import { Page } from '../../design/page.tsx'
import { PageHeader } from '../../design/page-header.tsx'
import { useCommands } from '../../shell/commands.ts'
import { SearchField } from '../../shell/search-field.tsx'
import { ConnectionList } from './connection-list.tsx'
import classes from './connections-page.module.css'
import { DeletedConnections } from './deleted-connections.tsx'
import { findConnections, type ListedConnection, listConnections } from './find-connections.ts'

export function ConnectionsPage() {
  const session = useSession()
  const administers = useAdministersAny()
  if (session === undefined) return null
  return <Page>{administers ? <AllConnections /> : <NotForThisKey name={session.name} />}</Page>
}

function AllConnections() {
  const connections = useConnections()
  const { data: kinds = [] } = useConnectionKinds()
  const { data: uses = [] } = useConnectionUses({ enabled: useMay('read') })
  const context = useSession()?.context ?? '/'
  const [subject, setSubject] = useState<NewConnection | Connection>()
  const create = () => setSubject({ context })
  useCommands([
    {
      id: 'connections.new',
      title: 'New connection',
      group: 'Connections',
      keys: 'n',
      icon: IconPlus,
      run: create
    }
  ])
  return (
    <>
      <PageHeader
        title="Connections"
        actions={
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={create}>
            New connection
          </Button>
        }
      >
        Addresses of APIs, databases and models, with what it takes to sign in. Nodes refer to a connection by
        name; the context of the flow decides which one that is. So the same flow calls the sandbox in one
        context and the shop in another.
      </PageHeader>
      {connections.isPending && <LoadingState rows={3} height={88} />}
      {connections.error !== null && connections.data === undefined && (
        <ErrorState error={connections.error} onRetry={() => void connections.refetch()} />
      )}
      {connections.data?.length === 0 && <NoConnections onCreate={create} />}
      {connections.data !== undefined && connections.data.length > 0 && (
        <FoundConnections
          listed={listConnections(connections.data, kinds, uses)}
          onChange={(connection) => setSubject(connection)}
        />
      )}
      <DeletedConnections />
      <ConnectionDialog subject={subject} onClose={() => setSubject(undefined)} />
    </>
  )
}

interface FoundConnectionsProps {
  readonly listed: readonly ListedConnection[]
  readonly onChange: (connection: Connection) => void
}

function FoundConnections({ listed, onChange }: FoundConnectionsProps) {
  const [text, setText] = useState('')
  const found = findConnections(listed, text)
  return (
    <>
      <div className={classes.search}>
        <SearchField
          command={{ id: 'connections.search', title: 'Search connections', group: 'Connections' }}
          placeholder="Name, context, kind, address or flow"
          text={text}
          onChange={setText}
        />
        <span className={classes.count} role="status">
          {found.length === listed.length ? `${listed.length} in all` : `${found.length} of ${listed.length}`}
        </span>
      </div>
      {found.length > 0 ? (
        <ConnectionList listed={found} all={listed} onChange={onChange} />
      ) : (
        <EmptyState
          icon={IconSearchOff}
          title="No connection matches"
          actions={
            <Button variant="default" onClick={() => setText('')}>
              Show all connections
            </Button>
          }
        >
          The search looks at names, contexts, kinds, addresses and the flows that use them.
        </EmptyState>
      )}
    </>
  )
}

function NoConnections({ onCreate }: { readonly onCreate: () => void }) {
  return (
    <EmptyState
      icon={IconPlug}
      title="No connections yet"
      help="connections"
      actions={<Button onClick={onCreate}>Create the first connection</Button>}
    >
      A connection holds the address of an API, a database or a model, and its secrets, encrypted. Flows hold
      no secrets: a node says “shop”, and the connection with that name provides the rest.
    </EmptyState>
  )
}

function NotForThisKey({ name }: { readonly name: string }) {
  return (
    <>
      <PageHeader title="Connections" />
      <EmptyState icon={IconLock} title="This key may not manage connections">
        You are signed in with “{name}”. Sign in with a key that has the right “admin” and is not bound to a
        flow. The nodes of a flow show which connections it can use.
      </EmptyState>
    </>
  )
}
