import { Button, SegmentedControl } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useFlow } from '../../../api/flows.ts'
import { useVersions } from '../../../api/versions.ts'
import { EmptyState } from '../../../design/empty-state.tsx'
import { ErrorState } from '../../../design/error-state.tsx'
import { IconHistory } from '../../../design/icons/editor-icons.ts'
import { LoadingState } from '../../../design/loading-state.tsx'
import { useEditor } from '../editor-context.ts'
import { KeptDraftList } from './kept-draft-list.tsx'
import { VersionRow } from './version-row.tsx'
import classes from './versions.module.css'

/** The versions of the flow: to view, to compare with what is there now, and to restore. */
export function Versions() {
  const editor = useEditor()
  const [isNamed, setNamed] = useState<boolean>()
  const named = useVersions(editor.flowId, true)
  // Named ones come first, where there are any. Decided once: the list does not change under who reads it.
  if (isNamed === undefined && !named.isPending) setNamed((named.data?.pages[0]?.versions.length ?? 0) > 0)
  // Who closes the list is done with looking.
  useEffect(() => () => editor.viewVersion(undefined), [editor])
  return (
    <>
      {isNamed === undefined && <LoadingState rows={6} height={60} />}
      {isNamed !== undefined && <Listed isNamed={isNamed} setNamed={setNamed} />}
    </>
  )
}

interface ListedProps {
  readonly isNamed: boolean
  readonly setNamed: (isNamed: boolean) => void
}

function Listed({ isNamed, setNamed }: ListedProps) {
  return (
    <>
      <SegmentedControl
        size="xs"
        fullWidth
        mb="xs"
        value={isNamed ? 'named' : 'all'}
        onChange={(chosen) => setNamed(chosen === 'named')}
        aria-label="Which versions to list"
        data={[
          { value: 'named', label: 'Named' },
          { value: 'all', label: 'All' }
        ]}
      />
      <KeptDraftList />
      <VersionList isNamed={isNamed} />
    </>
  )
}

function VersionList({ isNamed }: { readonly isNamed: boolean }) {
  const { flowId } = useEditor()
  const versions = useVersions(flowId, isNamed)
  const [newest] = useVersions(flowId, false).data?.pages[0]?.versions ?? []
  const { data: flow } = useFlow(flowId)
  if (versions.isPending) return <LoadingState rows={6} height={60} />
  if (versions.error !== null)
    return <ErrorState error={versions.error} onRetry={() => void versions.refetch()} />
  const found = versions.data.pages.flatMap((page) => page.versions)
  // What is live is always in sight, with a name or without.
  const isListed = newest === undefined || found.some(({ version }) => version >= newest.version)
  const listed = isListed || found.length === 0 ? found : [newest, ...found]
  // The newest version is the live one: of two answers, the one with the higher number is the later.
  const live = Math.max(flow?.version ?? 0, ...listed.map(({ version }) => version))
  if (listed.length === 0) {
    return (
      <EmptyState icon={IconHistory} title="No version has a name" help="build-flows#drafts">
        Give one a name when you publish: a release, a ticket, whatever you would look for.
      </EmptyState>
    )
  }
  return (
    <>
      <ol className={classes.list} reversed>
        {listed.map((version) => (
          <VersionRow key={version.version} version={version} isLive={version.version === live} />
        ))}
      </ol>
      {versions.hasNextPage && (
        <Button
          fullWidth
          mt="sm"
          variant="default"
          loading={versions.isFetchingNextPage}
          onClick={() => void versions.fetchNextPage()}
        >
          Show older versions
        </Button>
      )}
    </>
  )
}
