import { Button, SegmentedControl } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useFlow } from '../../../api/flows.ts'
import { useVersions } from '../../../api/versions.ts'
import { EmptyState } from '../../../design/empty-state.tsx'
import { ErrorState } from '../../../design/error-state.tsx'
import { IconHistory } from '../../../design/icons/editor-icons.ts'
import { LoadingState } from '../../../design/loading-state.tsx'
import { useEditor } from '../editor-context.ts'
import { VersionRow } from './version-row.tsx'
import classes from './versions.module.css'

/** The versions of the flow: to look at, to compare with what is there now, and to restore. */
export function Versions() {
  const editor = useEditor()
  const [isNamed, setNamed] = useState(false)
  // Who closes the list is done with looking.
  useEffect(() => () => editor.lookAt(undefined), [editor])
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
          { value: 'all', label: 'All' },
          { value: 'named', label: 'Named' }
        ]}
      />
      <VersionList isNamed={isNamed} />
    </>
  )
}

function VersionList({ isNamed }: { readonly isNamed: boolean }) {
  const { flowId } = useEditor()
  const versions = useVersions(flowId, isNamed)
  const { data: flow } = useFlow(flowId)
  if (versions.isPending) return <LoadingState rows={6} height={60} />
  if (versions.error !== null)
    return <ErrorState error={versions.error} onRetry={() => void versions.refetch()} />
  const listed = versions.data.pages.flatMap((page) => page.versions)
  // The newest version is the live one: of two answers, the one with the higher number is the later.
  const live = Math.max(flow?.version ?? 0, ...listed.map(({ version }) => version))
  if (listed.length === 0) {
    return (
      <EmptyState icon={IconHistory} title="No version has a name">
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
