import { Canvas } from './canvas/canvas.tsx'
import classes from './editor.module.css'
import { useEditorState } from './editor-context.ts'
import {
  EditorBelow,
  EditorKeys,
  EditorSide,
  FollowRun,
  Palette,
  PlaygroundDock,
  VersionRoom
} from './lazy-tools.tsx'
import { useEditorSession } from './session/session-context.ts'
import { useCatalogue } from './session/use-catalogue.ts'

/** Palette, canvas and what is open beside it. */
export function EditorRoom() {
  const isReadOnly = useEditorState((state) => state.isReadOnly)
  const viewed = useEditorState((state) => state.viewed)
  return (
    <div className={classes.room}>
      <KeepCatalogue />
      <FollowRun />
      {!isReadOnly && viewed === undefined && <Palette fallback={PALETTE_PLACE} />}
      <div className={classes.middle}>
        {viewed === undefined ? <Canvas /> : <VersionRoom viewed={viewed} />}
        {viewed === undefined && <EditorBelow />}
      </div>
      <EditorSide fallback={SIDE_PLACE} />
      {!isReadOnly && viewed === undefined && <PlaygroundDock />}
      <EditorKeys />
    </div>
  )
}

/** Until there is something beside the canvas: the canvas must not get narrower when it comes. */
function SidePlace() {
  const isOpen = useEditorState(({ inspector, panel }) => inspector === 'side' || panel !== undefined)
  return isOpen ? <div className={classes.sidePlace} /> : null
}

/** By itself, as it looks at every change of the flow, and draws nothing. */
function KeepCatalogue() {
  useCatalogue(useEditorSession())
  return null
}

const PALETTE_PLACE = <div className={classes.palettePlace} />
const SIDE_PLACE = <SidePlace />
