import { Button, FileButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { lazy, Suspense, useRef, useState } from 'react'
import { useFlows } from '../../api/flows.ts'
import { useMay } from '../../api/session.ts'
import type { Flow, ListedFlow } from '../../api/shapes.ts'
import { EmptyState } from '../../design/empty-state.tsx'
import { ErrorState } from '../../design/error-state.tsx'
import { IconFileImport, IconPlus, IconSearchOff, IconTopologyStar3 } from '../../design/icons/page-icons.ts'
import { LoadingState } from '../../design/loading-state.tsx'
import { Page } from '../../design/page.tsx'
import { PageHeader } from '../../design/page-header.tsx'
import { useCommands } from '../../shell/commands.ts'
import { DropZone } from './drop-zone.tsx'
import { findFlows } from './find-flows.ts'
import { FlowList } from './flow-list.tsx'
import { FlowSearchBar } from './flow-search-bar.tsx'
import { NewFlowDialog } from './new-flow-dialog.tsx'
import { useFlowSearch } from './use-flow-search.ts'
import { useImport } from './use-import.ts'

// Loaded after an import: the first view has to stay small.
const ImportedDialog = lazy(async () => {
  const { ImportedDialog } = await import('./imported-dialog.tsx')
  return { default: ImportedDialog }
})

export function FlowsPage() {
  const flows = useFlows()
  const mayWrite = useMay('write')
  const [imported, setImported] = useState<readonly Flow[]>([])
  const importFiles = useImport((flow) => setImported((flows) => [...flows, flow]))
  const [isDialogOpen, dialog] = useDisclosure(false)
  const chooseFiles = useRef<() => void>(null)
  useFlowCommands(mayWrite, { create: dialog.open, choose: () => chooseFiles.current?.() })
  const isEmpty = flows.data?.length === 0
  return (
    <DropZone onFiles={(files) => void importFiles(files)} isActive={mayWrite}>
      <Page>
        <PageHeader
          title="Flows"
          actions={
            mayWrite && (
              <>
                <FileButton
                  multiple
                  accept="application/json,.json"
                  onChange={(files) => void importFiles(files)}
                  inputProps={{ 'aria-label': 'Flow documents to import' }}
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
                <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={dialog.open}>
                  New flow
                </Button>
              </>
            )
          }
        />
        {flows.isPending && <LoadingState rows={6} height={64} />}
        {flows.error !== null && flows.data === undefined && (
          <ErrorState error={flows.error} onRetry={() => void flows.refetch()} />
        )}
        {isEmpty && <NoFlows {...(mayWrite ? { onCreate: dialog.open } : {})} />}
        {flows.data !== undefined && !isEmpty && <FoundFlows flows={flows.data} />}
      </Page>
      <NewFlowDialog opened={isDialogOpen} onClose={dialog.close} />
      {imported.length > 0 && (
        <Suspense fallback={null}>
          <ImportedDialog flows={imported} onClose={() => setImported([])} />
        </Suspense>
      )}
    </DropZone>
  )
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

function FoundFlows({ flows }: { readonly flows: readonly ListedFlow[] }) {
  const { search, change, clear } = useFlowSearch()
  const found = findFlows(flows, search)
  return (
    <>
      <FlowSearchBar flows={flows} found={found.length} search={search} onChange={change} />
      {found.length > 0 ? (
        <FlowList flows={found} allFlows={flows} />
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
          The search looks at names, slugs, descriptions, contexts and the nodes inside.
        </EmptyState>
      )}
    </>
  )
}

function NoFlows({ onCreate }: { readonly onCreate?: () => void }) {
  return (
    <EmptyState
      icon={IconTopologyStar3}
      title="No flows yet"
      actions={onCreate && <Button onClick={onCreate}>Make the first flow</Button>}
    >
      A flow starts when a request reaches its webhook. Begin with a worked one, with an empty canvas, or drop
      a flow document here.
    </EmptyState>
  )
}
