import { Button } from '@mantine/core'
import { useEffect, useMemo } from 'react'
import { RelativeTime } from '../../../design/relative-time.tsx'
import { compareFlows, summarise } from '../../../editor/compare/compare-flows.ts'
import { withinCanvas } from '../../../editor/graph/within-canvas.ts'
import { Canvas } from '../canvas/canvas.tsx'
import { useEditor, useEditorState, type ViewedVersion } from '../editor-context.ts'
import { EditorProviders } from '../editor-providers.tsx'
import { NodeMenuProvider } from '../menu/node-menu-provider.tsx'
import { EditorSession } from '../session/editor-session.ts'
import { useEditorSession } from '../session/session-context.ts'
import { marksOf, unionFlow } from './union-flow.ts'
import { useVersionActions } from './use-version-actions.ts'
import classes from './versions.module.css'

/** An earlier version in the place of the canvas, by itself or beside what is there now. It cannot be edited. */
export function VersionRoom({ viewed }: { readonly viewed: ViewedVersion }) {
  const drawn = useEditorState((state) => state.flow)
  const { proposed } = viewed
  const now = proposed?.flow ?? drawn
  const catalogue = useEditorState((state) => state.catalogue)
  const live = useEditorState((state) => state.live)
  const { flowId } = useEditor()
  const comparison = useMemo(() => compareFlows(viewed.document, now), [viewed.document, now])
  const session = useMemo(() => {
    const flow = withinCanvas(viewed.isCompared ? unionFlow(now, comparison) : viewed.document)
    const made = new EditorSession({
      flowId,
      picture: `${viewed.version}.${viewed.keptDraft ?? ''}`,
      flow,
      live,
      catalogue,
      isReadOnly: true,
      now: () => performance.now()
    })
    if (viewed.isCompared) made.setMarks(marksOf(comparison))
    if (proposed !== undefined) made.setRun(proposed.run)
    return made
  }, [flowId, viewed, proposed, now, live, comparison, catalogue])
  const outside = useEditorSession()
  // Whoever is led to a part from beside the canvas finds it on the one that is shown.
  useEffect(() => outside.onGoTo((part) => session.goTo(part)), [outside, session])
  return (
    <div className={classes.versionRoom}>
      {viewed.isReview === true || proposed !== undefined ? (
        <ReviewBar what={proposed === undefined ? 'What publishing changes' : 'What is proposed'} />
      ) : (
        <VersionBar viewed={viewed} summary={summarise(comparison)} />
      )}
      <EditorProviders session={session} key={`${viewed.version}-${viewed.keptDraft}-${viewed.isCompared}`}>
        <NodeMenuProvider>
          <Canvas />
        </NodeMenuProvider>
      </EditorProviders>
    </div>
  )
}

/** The panel beside it says in words what is changed. */
function ReviewBar({ what }: { readonly what: string }) {
  const editor = useEditor()
  return (
    <div className={classes.bar} role="status">
      <span>
        <strong>{what}</strong>
        <span className={classes.barText}> is marked. It cannot be edited here.</span>
      </span>
      <Button size="compact-sm" variant="default" onClick={() => editor.viewVersion(undefined)}>
        Back to the draft
      </Button>
    </div>
  )
}

function VersionBar({ viewed, summary }: { readonly viewed: ViewedVersion; readonly summary: string }) {
  const editor = useEditor()
  const isReadOnly = useEditorState((state) => state.isReadOnly)
  const actions = useVersionActions(viewed)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented) editor.viewVersion(undefined)
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [editor])
  return (
    <div className={classes.bar} role="status">
      <span>
        <strong>
          {viewed.keptDraft === undefined ? `Version ${viewed.version}` : `Draft ${viewed.keptDraft}`}
          {viewed.name !== null && ` “${viewed.name}”`}
        </strong>
        , <RelativeTime at={viewed.createdAt} />
        <span className={classes.barText}>
          {viewed.isCompared ? `. ${summary} since.` : '. It cannot be edited.'}
        </span>
      </span>
      <span className={classes.barActions}>
        <Button size="compact-sm" variant="default" onClick={() => void actions.view(!viewed.isCompared)}>
          {viewed.isCompared ? 'View it alone' : 'Compare with now'}
        </Button>
        {!isReadOnly && (
          <Button size="compact-sm" variant="default" onClick={() => void actions.restore()}>
            Restore into the draft
          </Button>
        )}
        <Button size="compact-sm" onClick={() => editor.viewVersion(undefined)}>
          Back to now
        </Button>
      </span>
    </div>
  )
}
