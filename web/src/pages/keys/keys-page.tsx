import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { type NewKey, useKeys } from '../../api/keys.ts'
import { useSession } from '../../api/session.ts'
import { EmptyState } from '../../design/empty-state.tsx'
import { ErrorState } from '../../design/error-state.tsx'
import { IconKey, IconLock, IconPlus } from '../../design/icons/page-icons.ts'
import { LoadingState } from '../../design/loading-state.tsx'
import { Page } from '../../design/page.tsx'
import { PageHeader } from '../../design/page-header.tsx'
import { useCommands } from '../../shell/commands.ts'
import { KeyList } from './key-list.tsx'
import { NewKeyDialog } from './new-key-dialog.tsx'
import { ShownOnceDialog } from './shown-once-dialog.tsx'

export function KeysPage() {
  const session = useSession()
  if (session === undefined) return null
  const isUnbound = session.flow_id === null && (session.context === null || session.context === '/')
  return (
    <Page>
      {session.rights.includes('admin') && isUnbound ? <AllKeys /> : <NotForThisKey name={session.name} />}
    </Page>
  )
}

function AllKeys() {
  const keys = useKeys()
  const [isDialogOpen, dialog] = useDisclosure(false)
  const [made, setMade] = useState<NewKey>()
  useCommands([
    { id: 'keys.new', title: 'New key', group: 'Keys', keys: 'n', icon: IconPlus, run: dialog.open }
  ])
  return (
    <>
      <PageHeader
        title="Keys"
        actions={
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={dialog.open}>
            New key
          </Button>
        }
      >
        Callers send a key in the header <code>x-api-key</code>. Give each sender its own, with no more rights
        than it needs.
      </PageHeader>
      {keys.isPending && <LoadingState rows={3} height={72} />}
      {keys.error !== null && keys.data === undefined && (
        <ErrorState error={keys.error} onRetry={() => void keys.refetch()} />
      )}
      {keys.data?.length === 0 && (
        <EmptyState
          icon={IconKey}
          title="No keys"
          help="keys#keys"
          actions={<Button onClick={dialog.open}>New key</Button>}
        >
          Nobody can call Millrace from outside until there is one.
        </EmptyState>
      )}
      {keys.data !== undefined && keys.data.length > 0 && <KeyList keys={keys.data} />}
      <NewKeyDialog
        opened={isDialogOpen}
        onClose={dialog.close}
        onMade={(key) => {
          dialog.close()
          setMade(key)
        }}
      />
      <ShownOnceDialog made={made} onClose={() => setMade(undefined)} />
    </>
  )
}

function NotForThisKey({ name }: { readonly name: string }) {
  return (
    <>
      <PageHeader title="Keys" />
      <EmptyState icon={IconLock} title="This key may not manage keys">
        You are signed in with “{name}”. Sign in with a key that has the right “admin” and is not bound to a
        flow or a context.
      </EmptyState>
    </>
  )
}
