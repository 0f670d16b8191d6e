import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useApi } from '../../../api/api-context.ts'
import { type FlowVersion, useVersions, versionQuery } from '../../../api/versions.ts'
import { ErrorState } from '../../../design/error-state.tsx'
import { IconArrowsDiff, IconRestore } from '../../../design/icons/editor-icons.ts'
import { IconEye } from '../../../design/icons/page-icons.ts'
import { LoadingState } from '../../../design/loading-state.tsx'
import { notifyDone, notifyProblem } from '../../../design/notify.tsx'
import { RelativeTime } from '../../../design/relative-time.tsx'
import { useEditor, useEditorState } from '../editor-context.ts'
import { ComparisonView } from './comparison-view.tsx'
import classes from './versions.module.css'

/** Every save of the flow: to look at, to compare with what is there now, and to restore. */
export function Versions() {
  const editor = useEditor()
  const versions = useVersions(editor.flowId)
  const look = useEditorState((state) => state.look)
  // Who closes the list is done with looking.
  useEffect(() => () => editor.lookAt(undefined), [editor])
  if (versions.isPending) return <LoadingState rows={6} height={44} />
  if (versions.error !== null)
    return <ErrorState error={versions.error} onRetry={() => void versions.refetch()} />
  return (
    <>
      {look?.isCompared === true && <ComparisonView look={look} />}
      <ol className={classes.list} reversed>
        {versions.data.map((version) => (
          <VersionRow key={version.version} version={version} isShown={look?.version === version.version} />
        ))}
      </ol>
    </>
  )
}

function VersionRow({ version, isShown }: { readonly version: FlowVersion; readonly isShown: boolean }) {
  const { look, restore } = useVersionActions(version.version)
  const isReadOnly = useEditorState((state) => state.isReadOnly)
  const isCompared = useEditorState((state) => state.look?.isCompared === true)
  const name = `version ${version.version}`
  return (
    <li className={classes.row} aria-current={isShown || undefined}>
      <div className={classes.words}>
        <span className={classes.number}>Version {version.version}</span>
        {version.is_live && <span className={classes.live}>live</span>}
        <span className={classes.time}>
          <RelativeTime at={version.created_at} />
        </span>
      </div>
      <div className={classes.actions}>
        <Button
          size="compact-xs"
          variant={isShown && !isCompared ? 'light' : 'subtle'}
          leftSection={<IconEye size={13} aria-hidden />}
          aria-label={`Look at ${name}`}
          onClick={() => void look(false)}
        >
          Look
        </Button>
        {/* What is live is what is there now. */}
        {!version.is_live && (
          <Button
            size="compact-xs"
            variant={isShown && isCompared ? 'light' : 'subtle'}
            leftSection={<IconArrowsDiff size={13} aria-hidden />}
            aria-label={`Compare ${name} with now`}
            onClick={() => void look(true)}
          >
            Compare
          </Button>
        )}
        {!isReadOnly && !version.is_live && (
          <Button
            size="compact-xs"
            variant="subtle"
            leftSection={<IconRestore size={13} aria-hidden />}
            aria-label={`Restore ${name}`}
            onClick={() => void restore()}
          >
            Restore
          </Button>
        )}
      </div>
    </li>
  )
}

/** What can be done with a version. To restore one is an edit like any other: it is saved, and it can be undone. */
export function useVersionActions(version: number) {
  const editor = useEditor()
  const api = useApi()
  const queries = useQueryClient()
  const read = () => queries.fetchQuery(versionQuery(api, editor.flowId, version))
  return {
    look: async (isCompared: boolean) => {
      try {
        const { document, created_at } = await read()
        editor.lookAt({ version, createdAt: created_at, document, isCompared })
      } catch (error) {
        notifyProblem(error)
      }
    },
    restore: async () => {
      try {
        const { document } = await read()
        editor.lookAt(undefined)
        editor.perform({ kind: 'replace', document, label: `Restore version ${version}` })
        notifyDone(`Version ${version} is back.`, () => editor.undo())
      } catch (error) {
        notifyProblem(error)
      }
    }
  }
}
