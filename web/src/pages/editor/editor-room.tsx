import { useClipboardEvents } from './actions/use-clipboard-events.ts'
import { Canvas } from './canvas/canvas.tsx'
import { useEditorCommands } from './commands/use-editor-commands.ts'
import classes from './editor.module.css'
import { useEditorState } from './editor-context.ts'
import { Inspector } from './inspector/inspector.tsx'
import { Palette } from './palette/palette.tsx'
import { SidePanel } from './panel/side-panel.tsx'
import { PlaygroundDock } from './playground/playground-dock.tsx'
import { FollowRun } from './run/follow-run.tsx'
import { useOpenConflicts } from './save/use-open-conflicts.ts'
import { useEditorSession } from './session/session-context.ts'
import { useCatalogue } from './session/use-catalogue.ts'
import { LookRoom } from './versions/look-room.tsx'

/** Palette, canvas and what is open beside it. */
export function EditorRoom() {
  const isReadOnly = useEditorState((state) => state.isReadOnly)
  const look = useEditorState((state) => state.look)
  // Beside an earlier version, what is selected is selected in that one.
  const isBeside = useEditorState(({ panel }) => panel !== undefined)
  useCatalogue(useEditorSession())
  useOpenConflicts()
  useClipboardEvents()
  useEditorCommands()
  return (
    <div className={classes.room}>
      <FollowRun />
      {!isReadOnly && look === undefined && <Palette />}
      <div className={classes.middle}>
        {look === undefined ? <Canvas /> : <LookRoom look={look} />}
        {look === undefined && <SidePanel place="below" />}
      </div>
      {isBeside && <SidePanel />}
      {!isBeside && look === undefined && <Inspector />}
      {!isReadOnly && look === undefined && <PlaygroundDock />}
    </div>
  )
}
