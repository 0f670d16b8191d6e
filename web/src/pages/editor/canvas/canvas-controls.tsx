import { useLocalStorage } from '@mantine/hooks'
import { IconMap, IconMaximize, IconMinus, IconPlus } from '@tabler/icons-react'
import { MiniMap, Panel, useReactFlow, useStore } from '@xyflow/react'
import { lookOf } from '../../../design/state-badge.tsx'
import { useEditorState } from '../editor-context.ts'
import classes from './canvas.module.css'
import type { CanvasPart } from './canvas-parts.ts'
import { FIT } from './use-viewport.ts'

/** Zoom, fit, and the map of the whole flow. */
export function CanvasControls() {
  const { zoomIn, zoomOut, zoomTo, fitView } = useReactFlow()
  const zoom = useStore(({ transform }) => Math.round(transform[2] * 100))
  const [isMapShown, showMap] = useLocalStorage({
    key: 'millrace.minimap',
    defaultValue: true,
    getInitialValueInEffect: false
  })
  return (
    <>
      <Panel position="bottom-left" className={classes.controls!}>
        <button type="button" aria-label="Zoom out" title="Zoom out" onClick={() => void zoomOut()}>
          <IconMinus size={16} aria-hidden />
        </button>
        <button
          type="button"
          className={classes.zoom}
          title="Zoom to 100 %"
          aria-label={`Zoom is ${zoom} %, set it to 100 %`}
          onClick={() => void zoomTo(1)}
        >
          {zoom} %
        </button>
        <button type="button" aria-label="Zoom in" title="Zoom in" onClick={() => void zoomIn()}>
          <IconPlus size={16} aria-hidden />
        </button>
        <button type="button" aria-label="Zoom to fit" title="Zoom to fit" onClick={() => void fitView(FIT)}>
          <IconMaximize size={16} aria-hidden />
        </button>
        <button
          type="button"
          aria-label="Minimap"
          aria-pressed={isMapShown}
          title="Minimap"
          onClick={() => showMap(!isMapShown)}
        >
          <IconMap size={16} aria-hidden />
        </button>
      </Panel>
      {isMapShown && <FlowMap />}
    </>
  )
}

function FlowMap() {
  const steps = useEditorState(({ run }) => run?.steps)
  const colour = ({ id, type }: CanvasPart) => {
    if (type === 'note') return 'var(--mark)'
    const tone = lookOf(steps?.get(id)?.status ?? '').tone
    // What went well needs no colour: the eye is to find what did not.
    return tone === 'failed' || tone === 'running' ? `var(--state-${tone})` : 'var(--border-strong)'
  }
  return (
    <MiniMap<CanvasPart>
      className={classes.map!}
      ariaLabel="Map of the flow"
      pannable
      zoomable
      nodeColor={colour}
      nodeBorderRadius={12}
      maskColor="var(--map-mask)"
      bgColor="var(--surface)"
    />
  )
}
