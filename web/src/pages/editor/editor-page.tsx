import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { Link, useParams, useSearchParams } from 'react-router'
import { type ComponentFacts, useComponents } from '../../api/components.ts'
import { useFlow, useReadFlow } from '../../api/flows.ts'
import { problemOf } from '../../api/problem.ts'
import { useMay } from '../../api/session.ts'
import type { Flow } from '../../api/shapes.ts'
import { ErrorState } from '../../design/error-state.tsx'
import { LoadingState } from '../../design/loading-state.tsx'
import { Page } from '../../design/page.tsx'
import { openFlow } from '../../editor/graph/saved-flow.ts'
import { PageCatalogue } from '../../editor/wiring/page-catalogue.ts'
import classes from './editor.module.css'
import { EditorProviders } from './editor-providers.tsx'
import { EditorRoom } from './editor-room.tsx'
import { useAutosave } from './save/use-autosave.ts'
import { EditorSession } from './session/editor-session.ts'
import { SavingContext } from './session/saving-context.ts'
import { Toolbar } from './toolbar/toolbar.tsx'

/** The canvas of one flow. */
export function EditorPage() {
  const { flow: address = '' } = useParams()
  const flow = useFlow(address)
  const components = useComponents(flow.data?.context ?? '/')
  const failed = flow.data === undefined ? flow : components.data === undefined ? components : undefined
  if (flow.data !== undefined && components.data !== undefined) {
    return <OpenFlow key={flow.data.id} read={flow.data} components={components.data} />
  }
  return (
    <Page>
      {failed?.error ? (
        <ErrorState
          isPage
          error={failed.error}
          onRetry={() => void failed.refetch()}
          actions={
            <Button component={Link} to="/flows">
              All flows
            </Button>
          }
        />
      ) : (
        <LoadingState />
      )}
    </Page>
  )
}

function OpenFlow({ read, components }: { readonly read: Flow; readonly components: ComponentFacts[] }) {
  const { data: flow, error } = useReadFlow(read)
  const isDeleted = error !== null && problemOf(error).code === 'flow_not_found'
  const mayWrite = useMay('write')
  const [search] = useSearchParams()
  const [session] = useState(() => {
    const { id, document } = openFlow(flow)
    const catalogue = new PageCatalogue(components)
    const made = new EditorSession({
      flowId: id,
      flow: document,
      catalogue,
      isReadOnly: !mayWrite,
      now: () => performance.now()
    })
    made.showRun(search.get('run') ?? undefined)
    return made
  })
  const node = search.get('node')
  // The error of a run leads here, to the node that failed.
  useEffect(() => {
    if (node === null) return
    session.goTo(node)
    session.inspect('side')
  }, [session, node])
  const saving = useAutosave(session, flow, isDeleted)
  return (
    <SavingContext value={saving}>
      <EditorProviders session={session}>
        <div className={classes.editor}>
          <Toolbar />
          <EditorRoom />
        </div>
      </EditorProviders>
    </SavingContext>
  )
}
