import { Button } from '@mantine/core'
import { useEffect, useMemo } from 'react'
import { RelativeTime } from '../../../design/relative-time.tsx'
import { compareFlows, summarise } from '../../../editor/compare/compare-flows.ts'
import { withinCanvas } from '../../../editor/graph/within-canvas.ts'
import { Canvas } from '../canvas/canvas.tsx'
import { type LookedAt, useEditor, useEditorState } from '../editor-context.ts'
import { EditorProviders } from '../editor-providers.tsx'
import { NodeMenuProvider } from '../menu/node-menu-provider.tsx'
import { EditorSession } from '../session/editor-session.ts'
import { useEditorSession } from '../session/session-context.ts'
import { marksOf, unionFlow } from './union-flow.ts'
import { useVersionActions } from './use-version-actions.ts'
import classes from './versions.module.css'

/** An earlier version in the place of the canvas, by itself or beside what is there now. It cannot be edited. */
export function LookRoom({ look }: { readonly look: LookedAt }) {
  const now = useEditorState((state) => state.flow)
  const catalogue = useEditorState((state) => state.catalogue)
  const live = useEditorState((state) => state.live)
  const { flowId } = useEditor()
  const comparison = useMemo(() => compareFlows(look.document, now), [look.document, now])
  const session = useMemo(() => {
    const flow = withinCanvas(look.isCompared ? unionFlow(now, comparison) : look.document)
    const made = new EditorSession({
      flowId: `${flowId}.${look.version}`,
      flow,
      live,
      catalogue,
      isReadOnly: true,
      now: () => performance.now()
    })
    if (look.isCompared) made.setMarks(marksOf(comparison))
    return made
  }, [flowId, look, now, live, comparison, catalogue])
  const outside = useEditorSession()
  // Who is led to a part from beside the canvas finds it on the one that is shown.
  useEffect(() => outside.onGoTo((part) => session.goTo(part)), [outside, session])
  return (
    <div className={classes.look}>
      {look.isReview ? <ReviewBar /> : <LookBar look={look} words={summarise(comparison)} />}
      <EditorProviders session={session} key={`${look.version}-${look.isCompared}`}>
        <NodeMenuProvider>
          <Canvas />
        </NodeMenuProvider>
      </EditorProviders>
    </div>
  )
}

/** What publishing changes: the panel beside it says so in words. */
function ReviewBar() {
  const editor = useEditor()
  return (
    <div className={classes.bar} role="status">
      <span>
        <strong>What publishing changes</strong>
        <span className={classes.barWords}> is marked. It cannot be edited here.</span>
      </span>
      <Button size="compact-sm" variant="default" onClick={() => editor.lookAt(undefined)}>
        Back to the draft
      </Button>
    </div>
  )
}

function LookBar({ look, words }: { readonly look: LookedAt; readonly words: string }) {
  const editor = useEditor()
  const isReadOnly = useEditorState((state) => state.isReadOnly)
  const actions = useVersionActions(look.version)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented) editor.lookAt(undefined)
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [editor])
  return (
    <div className={classes.bar} role="status">
      <span>
        <strong>
          Version {look.version}
          {look.name !== null && ` “${look.name}”`}
        </strong>
        , <RelativeTime at={look.createdAt} />
        <span className={classes.barWords}>
          {look.isCompared ? `. ${words} since.` : '. It cannot be edited.'}
        </span>
      </span>
      <span className={classes.barActions}>
        <Button size="compact-sm" variant="default" onClick={() => void actions.look(!look.isCompared)}>
          {look.isCompared ? 'Look at it alone' : 'Compare with now'}
        </Button>
        {!isReadOnly && (
          <Button size="compact-sm" variant="default" onClick={() => void actions.restore()}>
            Restore into the draft
          </Button>
        )}
        <Button size="compact-sm" onClick={() => editor.lookAt(undefined)}>
          Back to now
        </Button>
      </span>
    </div>
  )
}
