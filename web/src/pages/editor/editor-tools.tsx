import { useClipboardEvents } from './actions/use-clipboard-events.ts'
import { useOpenRepair } from './assistant/use-open-repair.ts'
import { useKeepInSight } from './canvas/use-keep-in-sight.ts'
import { useEditorCommands } from './commands/use-editor-commands.ts'
import { useOpenAsked } from './commands/use-open-asked.ts'
import { useCompany } from './company/use-company.ts'
import { useEditorState } from './editor-context.ts'
import { Inspector } from './inspector/inspector.tsx'
import { useSeenBeside } from './inspector/use-seen-beside.ts'
import { FieldPartsContext } from './node-part.ts'
import { SidePanel } from './panel/side-panel.tsx'
import { useFollowPins } from './pins/use-follow-pins.ts'
import { usePinCommands } from './pins/use-pin-commands.ts'
import { fieldPartFor } from './registry/field-parts.ts'
import { useOpenConflicts } from './save/use-open-conflicts.ts'

export { landedRun, runsSince } from '../../api/landed-run.ts'
export { PauseNote } from '../../flow-parts/pause-note.tsx'
/*
 * All of the editor that is not the canvas. lazy-tools.tsx loads it when the graph is drawn: what stands here may be
 * as large as it has to be, and what the canvas imports may not.
 */
export { showAssistant } from './assistant/show-assistant.tsx'
export { CanvasHints } from './canvas/canvas-hints.tsx'
export { EmptyCanvas } from './canvas/empty-canvas.tsx'
export { FlowMap } from './canvas/flow-map.tsx'
export { MainFields } from './canvas/main-fields.tsx'
export { PaletteDrop } from './canvas/palette-drop.tsx'
export { PinMark, TakenMark } from './canvas/pin-mark.tsx'
export { DisabledMark, ProblemMark } from './canvas/problem-mark.tsx'
export { RegionView } from './canvas/region-view.tsx'
export { NodeMenu } from './menu/node-menu.tsx'
export { AskedQuickAdd as QuickAdd } from './palette/asked-quick-add.tsx'
export { Palette } from './palette/palette.tsx'
export { PlaygroundDock } from './playground/playground-dock.tsx'
export { showPublish } from './publish/show-publish.tsx'
export { FollowRun } from './run/follow-run.tsx'
export { openAutosave } from './save/open-autosave.ts'
export { publishDraft } from './save/publish-draft.ts'
export { beginTest, savedAddress } from './testing/begin-test.ts'
export { PayloadPanel } from './testing/payload-panel.tsx'
export { Toolbar } from './toolbar/toolbar.tsx'
export { AddressMark } from './triggers/address-mark.tsx'
export { TriggerMark } from './triggers/trigger-mark.tsx'
export { VersionRoom } from './versions/version-room.tsx'
export { WireCard } from './wire-values/wire-card.tsx'
export { WireRules } from './wiring/wire-rules.tsx'

/** What is open beside the canvas. */
export function EditorSide() {
  const isBeside = useEditorState(({ panel }) => panel !== undefined)
  const isViewing = useEditorState(({ viewed }) => viewed !== undefined)
  return (
    <FieldPartsContext value={fieldPartFor}>
      {isBeside && <SidePanel />}
      {/* Beside an earlier version, what is selected is selected in that one. */}
      {!isBeside && !isViewing && <Inspector />}
    </FieldPartsContext>
  )
}

/** What is open below it. */
export function EditorBelow() {
  return (
    <FieldPartsContext value={fieldPartFor}>
      <SidePanel place="below" />
    </FieldPartsContext>
  )
}

/** What can be done by keyboard and from the palette of commands, and what opens by itself. Draws nothing. */
export function EditorKeys() {
  useOpenConflicts()
  useOpenRepair()
  useClipboardEvents()
  useEditorCommands()
  useOpenAsked()
  useCompany()
  usePinCommands()
  useFollowPins()
  useSeenBeside()
  useKeepInSight()
  return null
}
