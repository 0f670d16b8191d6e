import { Button } from '@mantine/core'
import { memo, useEffect, useState } from 'react'
import { Link, useParams, useSearchParams } from 'react-router'
import { type ComponentFacts, useComponents } from '../../api/components.ts'
import { type ReadDraft, useDraft } from '../../api/drafts.ts'
import { useFlow, useReadFlow } from '../../api/flows.ts'
import { problemOf } from '../../api/problem.ts'
import { useMay } from '../../api/session.ts'
import type { Flow } from '../../api/shapes.ts'
import { ErrorState } from '../../design/error-state.tsx'
import { LoadingState } from '../../design/loading-state.tsx'
import { Page } from '../../design/page.tsx'
import { openEdited } from '../../editor/graph/read-draft.ts'
import { openFlow } from '../../editor/graph/saved-flow.ts'
import { PageCatalogue } from '../../editor/wiring/page-catalogue.ts'
import classes from './editor.module.css'
import { EditorProviders } from './editor-providers.tsx'
import { EditorRoom } from './editor-room.tsx'
import { LoadToolsContext, PauseNote, Toolbar, WithTools } from './lazy-tools.tsx'
import { NodeMenuProvider } from './menu/node-menu-provider.tsx'
import { LocalBackup } from './save/local-backup.ts'
import { useAutosave } from './save/use-autosave.ts'
import { EditorSession } from './session/editor-session.ts'
import { SavingContext } from './session/saving-context.ts'
import { TestingProvider } from './testing/testing-provider.tsx'

const loadTools = () => import('./editor-tools.tsx')

/** The canvas of one flow. */
export function EditorPage() {
  const { flow: address = '' } = useParams()
  const mayWrite = useMay('write')
  const flow = useFlow(address)
  // Whoever may not edit looks at what is live.
  const draft = useDraft(flow.data?.id ?? '', { address, isWanted: mayWrite && flow.data !== undefined })
  const components = useComponents(flow.data?.context ?? '/')
  const opened = mayWrite ? draft.data : null
  if (flow.data !== undefined && opened !== undefined && components.data !== undefined) {
    return (
      <LoadToolsContext value={loadTools} key={flow.data.id}>
        <AfterWorkLeft flowId={flow.data.id}>
          <OpenFlow read={flow.data} draft={opened} components={components.data} />
        </AfterWorkLeft>
      </LoadToolsContext>
    )
  }
  const failed = [flow, draft, components].find(({ error }) => error !== null)
  return (
    <Page>
      {failed !== undefined ? (
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

/**
 * Work that was left in the browser is merged into the flow by what saves it. Nothing is drawn before: what would be edited
 * then would have to be merged with it, too.
 */
function AfterWorkLeft({
  flowId,
  children
}: {
  readonly flowId: string
  readonly children: React.ReactNode
}) {
  const [isLeft] = useState(() => new LocalBackup(flowId, localStorage).read() !== undefined)
  if (!isLeft) return children
  return (
    <WithTools
      fallback={
        <Page>
          <LoadingState />
        </Page>
      }
    >
      {children}
    </WithTools>
  )
}

interface OpenFlowProps {
  readonly read: Flow
  readonly draft: ReadDraft | null
  readonly components: ComponentFacts[]
}

function OpenFlow({ read, draft, components }: OpenFlowProps) {
  const { data: flow, error } = useReadFlow(read)
  const isDeleted = error !== null && problemOf(error).code === 'flow_not_found'
  const mayWrite = useMay('write')
  const [search] = useSearchParams()
  const [session] = useState(() => {
    const { id, version, document } = openFlow(flow)
    const catalogue = new PageCatalogue(components)
    const made = new EditorSession({
      flowId: id,
      flow: openEdited(flow, draft).document,
      live: { version, document },
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
  const saving = useAutosave(session, { flow, draft, isDeleted }, loadTools)
  return (
    <SavingContext value={saving}>
      <OpenEditor session={session} />
    </SavingContext>
  )
}

/** Not drawn again whenever something was saved: its parts follow the session by themselves. */
const OpenEditor = memo(function OpenEditor({ session }: { readonly session: EditorSession }) {
  return (
    <EditorProviders session={session}>
      <TestingProvider>
        <NodeMenuProvider>
          <div className={classes.editor}>
            <Toolbar fallback={TOOLBAR_PLACE} />
            <PauseNote flowId={session.flowId} isBar />
            <EditorRoom />
          </div>
        </NodeMenuProvider>
      </TestingProvider>
    </EditorProviders>
  )
})

const TOOLBAR_PLACE = <div className={classes.toolbarPlace} />
