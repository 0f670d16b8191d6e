import { Button, FileButton } from '@mantine/core'
import { lazy, Suspense, useRef, useState } from 'react'
import { Link } from 'react-router'
import { useAskAgain } from '../../api/asking-again.ts'
import { useFlows } from '../../api/flows.ts'
import { useHeldRuns } from '../../api/held-runs.ts'
import { useLiveEvents } from '../../api/live.ts'
import { useMay } from '../../api/session.ts'
import type { Flow, ListedFlow } from '../../api/shapes.ts'
import { DropZone } from '../../design/drop-zone.tsx'
import { EmptyState } from '../../design/empty-state.tsx'
import { ErrorState } from '../../design/error-state.tsx'
import { IconFileImport } from '../../design/icons/list-icons.ts'
import { IconPlus, IconSearchOff, IconTopologyStar3, IconTrash } from '../../design/icons/page-icons.ts'
import { LoadingState } from '../../design/loading-state.tsx'
import { Page } from '../../design/page.tsx'
import { PageHeader } from '../../design/page-header.tsx'
import { useFlowActions } from '../../flow-parts/use-flow-actions.ts'
import { useCommands } from '../../shell/commands.ts'
import { findFlows } from './find-flows.ts'
import { isFirstHour } from './first-hour/first-hour.ts'
import { FlowList } from './flow-list.tsx'
import { FlowSearchBar } from './flow-search-bar.tsx'
import { groupFlows } from './group-flows.ts'
import type { FlowDialog } from './open-dialog.ts'
import type { RowHandlers } from './row-handlers.ts'
import { useClosedFolders } from './use-closed-folders.ts'
import { useFlowChoice } from './use-flow-choice.ts'
import { useFlowSearch } from './use-flow-search.ts'
import { useForeignFiles } from './use-foreign-files.ts'
import { useImport } from './use-import.ts'
import { usePastedFiles } from './use-pasted-files.ts'

// Loaded when they are used: the first view has to stay small.
const ImportedDialog = lazy(async () => {
  const { ImportedDialog } = await import('./imported-dialog.tsx')
  return { default: ImportedDialog }
})

const loadNewFlow = () => import('./new-flow-dialog.tsx')
const NewFlowDialog = lazy(async () => ({ default: (await loadNewFlow()).NewFlowDialog }))

const FirstHourList = lazy(async () => ({
  default: (await import('./first-hour/first-hour-list.tsx')).FirstHourList
}))

const ImportDialog = lazy(async () => ({
  default: (await import('../../import-report/import-dialog.tsx')).ImportDialog
}))
const FlowBulkBar = lazy(async () => ({ default: (await import('./flow-bulk-bar.tsx')).FlowBulkBar }))
const FlowDialogs = lazy(async () => ({ default: (await import('./flow-dialogs.tsx')).FlowDialogs }))

export function FlowsPage() {
  const flows = useFlows()
  useFollowDrafts()
  const mayWrite = useMay('write')
  const [imported, setImported] = useState<readonly Flow[]>([])
  const foreign = useForeignFiles()
  const importFiles = useImport({
    onMade: (flow) => setImported((flows) => [...flows, flow]),
    onForeign: foreign.add
  })
  usePastedFiles(mayWrite, (files) => void importFiles(files))
  const [newFlow, setNewFlow] = useState<'never opened' | 'open' | 'closed'>('never opened')
  const create = () => setNewFlow('open')
  const chooseFiles = useRef<() => void>(null)
  useFlowCommands(mayWrite, { create, choose: () => chooseFiles.current?.() })
  const isEmpty = flows.data?.length === 0
  return (
    <DropZone
      onFiles={(files) => void importFiles(files)}
      isActive={mayWrite}
      invitation="Drop flows to import them: yours, or those of other tools"
    >
      <Page>
        <PageHeader
          title="Flows"
          actions={
            <>
              <Button
                component={Link}
                to="/bin"
                variant="default"
                leftSection={<IconTrash size={16} aria-hidden />}
              >
                Bin
              </Button>
              {mayWrite && (
                <FileButton
                  multiple
                  accept="application/json,.json,application/zip,.zip"
                  onChange={(files) => void importFiles(files)}
                  inputProps={{ 'aria-label': 'Flows to import' }}
                >
                  {({ onClick }) => {
                    chooseFiles.current = onClick
                    return (
                      <Button
                        variant="default"
                        leftSection={<IconFileImport size={16} aria-hidden />}
                        onClick={onClick}
                      >
                        Import
                      </Button>
                    )
                  }}
                </FileButton>
              )}
              {mayWrite && (
                <Button
                  leftSection={<IconPlus size={16} aria-hidden />}
                  onPointerEnter={preloadNewFlow}
                  onFocus={preloadNewFlow}
                  onClick={create}
                >
                  New flow
                </Button>
              )}
            </>
          }
        />
        {flows.isPending && <LoadingState rows={6} height={64} />}
        {flows.error !== null && flows.data === undefined && (
          <ErrorState error={flows.error} onRetry={() => void flows.refetch()} />
        )}
        {isEmpty && <NoFlows {...(mayWrite ? { onCreate: create } : {})} />}
        {flows.data !== undefined && !isEmpty && <FoundFlows flows={flows.data} />}
        {mayWrite && flows.data !== undefined && isFirstHour(flows.data) && (
          <Suspense fallback={null}>
            <FirstHourList flows={flows.data} />
          </Suspense>
        )}
      </Page>
      {newFlow !== 'never opened' && (
        <Suspense fallback={null}>
          <NewFlowDialog opened={newFlow === 'open'} onClose={() => setNewFlow('closed')} />
        </Suspense>
      )}
      {imported.length > 0 && (
        <Suspense fallback={null}>
          <ImportedDialog flows={imported} onClose={() => setImported([])} />
        </Suspense>
      )}
      {foreign.open !== undefined && (
        <Suspense fallback={null}>
          <ImportDialog key={foreign.open.lastModified} file={foreign.open} onClose={foreign.close} />
        </Suspense>
      )}
    </DropZone>
  )
}

/** While somebody is still about to open it: it has all templates. Where that fails, opening it says so. */
function preloadNewFlow(): void {
  loadNewFlow().catch(() => undefined)
}

/** Only here: elsewhere nobody sees the marks, and an editor saves its draft with every pause in typing. */
function useFollowDrafts(): void {
  const askAgain = useAskAgain()
  useLiveEvents((events) => {
    if (events.some(({ name }) => name.startsWith('draft.'))) askAgain({ queryKey: ['flows'] })
  })
}

function useFlowCommands(
  mayWrite: boolean,
  { create, choose }: { create: () => void; choose: () => void }
): void {
  const group = 'Flows'
  useCommands(
    mayWrite
      ? [
          { id: 'flows.new', title: 'New flow', group, keys: 'n', icon: IconPlus, run: create },
          { id: 'flows.import', title: 'Import flows', group, icon: IconFileImport, run: choose }
        ]
      : []
  )
}

/** What is done about flows: by rows, by the bar of those that are chosen, and in dialogs. */
function FoundFlows({ flows }: { readonly flows: readonly ListedFlow[] }) {
  const { search, change, clear } = useFlowSearch()
  const [dialog, setDialog] = useState<FlowDialog>()
  const actions = useFlowActions((failures) => setDialog({ kind: 'failures', failures }))
  const closed = useClosedFolders()
  const found = findFlows(flows, search)
  const isGrouped = search.isGrouped && flows.some(({ context }) => context !== flows[0]!.context)
  const folders = isGrouped ? groupFlows(found) : [{ context: '/', flows: found }]
  const shown = folders.flatMap((folder) =>
    isGrouped && closed.has(folder.context) ? [] : folder.flows.map(({ id }) => id)
  )
  const choice = useFlowChoice(shown)
  const chosen = found.filter(({ id }) => choice.chosen.has(id))
  const held = useHeldRuns(new Set(flows.filter(({ paused }) => paused).map(({ id }) => id)))
  const newest: RowHandlers = {
    actions,
    takenNames: new Set(flows.map(({ name }) => name)),
    onTag: (tag) => change({ tags: [...new Set([...search.tags, tag])] })
  }
  const handlers = useRef(newest)
  handlers.current = newest
  return (
    <>
      <FlowSearchBar flows={flows} found={found.length} search={search} onChange={change} />
      {found.length > 0 ? (
        <FlowList
          folders={folders}
          isGrouped={isGrouped}
          closed={closed}
          choice={choice}
          held={held}
          onDialog={setDialog}
          handlers={handlers}
        />
      ) : (
        <EmptyState
          icon={IconSearchOff}
          title="No flow matches"
          actions={
            <Button variant="default" onClick={clear}>
              Show all flows
            </Button>
          }
        >
          The search looks at names, slugs, descriptions, contexts, tags and the nodes inside.
        </EmptyState>
      )}
      <Suspense fallback={null}>
        {chosen.length > 0 && (
          <FlowBulkBar
            flows={chosen}
            among={shown.length}
            choice={choice}
            actions={actions}
            onDialog={setDialog}
          />
        )}
        {dialog !== undefined && (
          <FlowDialogs
            dialog={dialog}
            allFlows={flows}
            actions={actions}
            // One dialog may have led to another, which says what failed.
            onClose={() => setDialog((open) => (open === dialog ? undefined : open))}
          />
        )}
      </Suspense>
    </>
  )
}

function NoFlows({ onCreate }: { readonly onCreate?: () => void }) {
  return (
    <EmptyState
      icon={IconTopologyStar3}
      title="No flows yet"
      help="build-flows"
      actions={onCreate && <Button onClick={onCreate}>Create the first flow</Button>}
    >
      A flow starts when a request reaches its webhook. Begin with an example, with an empty canvas, or drop a
      flow here: a document of Millrace, or an export of n8n, Langflow, Node-RED or Flowise.
    </EmptyState>
  )
}
