import { counted } from '../../../design/counted.ts'
import '@xyflow/react/dist/base.css'
import { ReactFlow, useStore } from '@xyflow/react'
import { useState } from 'react'
import { useEditorState } from '../editor-context.ts'
import {
  CanvasMotion,
  MotionContext,
  TINY_ZOOM,
  ZOOMED_OUT_BELOW,
  ZoomedOutContext
} from '../geometry/canvas-distance.ts'
import type { CanvasWire } from '../geometry/canvas-wires.ts'
import { geometryVariables } from '../geometry/node-geometry.ts'
import { useViewport } from '../geometry/use-viewport.ts'
import { GroupView } from '../groups/group-view.tsx'
import { CanvasHints, EmptyCanvas, PaletteDrop, RegionView, WireRules } from '../lazy-tools.tsx'
import { NoteView } from '../notes/note-view.tsx'
import { Wiring, WiringContext } from '../wiring/wiring-context.ts'
import classes from './canvas.module.css'
import { CanvasControls } from './canvas-controls.tsx'
import { CanvasGround } from './canvas-ground.tsx'
import { NodeView } from './node-view.tsx'
import { PulledWire } from './pulled-wire.tsx'
import { Refusal } from './refusal.tsx'
import { useCanvasFlow } from './use-canvas-flow.ts'
import { useCanvasKeys } from './use-canvas-keys.ts'
import { useCanvasPointerEvents } from './use-canvas-pointer-events.ts'
import { WireView } from './wire-view.tsx'
import { ZoomedOutWires } from './zoomed-out-wires.tsx'

const NODE_TYPES = { component: NodeView, region: RegionView, note: NoteView, group: GroupView }
const EDGE_TYPES = { wire: WireView }

/** The flow as a picture that can be edited. */
export function Canvas() {
  const [wiring] = useState(() => new Wiring())
  const [motion] = useState(() => new CanvasMotion())
  const isZoomedOut = useStore(({ transform }) => transform[2] < ZOOMED_OUT_BELOW)
  return (
    <WiringContext value={wiring}>
      <MotionContext value={motion}>
        <ZoomedOutContext value={isZoomedOut}>
          <CanvasRoom isZoomedOut={isZoomedOut} motion={motion} />
        </ZoomedOutContext>
      </MotionContext>
    </WiringContext>
  )
}

function CanvasRoom({
  isZoomedOut,
  motion
}: {
  readonly isZoomedOut: boolean
  readonly motion: CanvasMotion
}) {
  const isReadOnly = useEditorState((state) => state.isReadOnly)
  const isTiny = useStore(({ transform }) => transform[2] < TINY_ZOOM)
  const [refusal, setRefusal] = useState<string | undefined>()
  const { parts, wires, moving, handlers } = useCanvasFlow(setRefusal)
  const keys = useCanvasKeys()
  const pointer = useCanvasPointerEvents()
  const viewport = useViewport(motion)
  const count = useEditorState(({ flow }) => flow.nodes.length)
  return (
    // biome-ignore lint/a11y/useSemanticElements: no element of HTML is a canvas with parts that can be focused.
    <div
      role="group"
      aria-label={`Canvas with ${counted(count, 'node')}. Arrow keys move between nodes, Enter edits one.`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the one stop of the Tab key; arrows lead on to the nodes.
      tabIndex={0}
      className={classes.canvas}
      style={geometryVariables}
      data-canvas
      data-zoomed-out={isZoomedOut || undefined}
      data-tiny={isTiny || undefined}
      {...keys}
      {...pointer.room}
    >
      <ReactFlow
        nodes={parts}
        edges={isZoomedOut ? NO_WIRES : wires}
        nodeTypes={NODE_TYPES}
        edgeTypes={EDGE_TYPES}
        {...handlers}
        {...pointer.flow}
        {...viewport}
        connectionLineComponent={PulledWire}
        connectionRadius={28}
        nodesDraggable={!isReadOnly}
        nodesConnectable={!isReadOnly}
        edgesReconnectable={!isReadOnly}
        nodesFocusable={false}
        edgesFocusable={false}
        disableKeyboardA11y
        deleteKeyCode={null}
        selectionKeyCode="Shift"
        multiSelectionKeyCode={MULTI_SELECT}
        panActivationKeyCode={null}
        zoomOnDoubleClick={false}
        panOnScroll
        snapToGrid
        snapGrid={SNAP}
        minZoom={0.05}
        maxZoom={2}
        // From far away, nodes that come and go cost more than those that nobody sees.
        onlyRenderVisibleElements={!isZoomedOut}
        // A wire that was raised with its node would lie over other nodes, and take the clicks on them.
        elevateEdgesOnSelect={false}
        proOptions={PRO_OPTIONS}
      >
        <CanvasGround />
        {isZoomedOut && <ZoomedOutWires wires={wires} moving={moving} />}
        <CanvasControls />
      </ReactFlow>
      <EmptyCanvas />
      <PaletteDrop />
      <CanvasHints />
      <WireRules />
      <Refusal message={refusal} onOver={() => setRefusal(undefined)} />
    </div>
  )
}

const NO_WIRES: CanvasWire[] = []
const MULTI_SELECT = ['Shift', 'Meta', 'Control']
const SNAP: [number, number] = [8, 8]
// Its makers are named in the README.
const PRO_OPTIONS = { hideAttribution: true }
