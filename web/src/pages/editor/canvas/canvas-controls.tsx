import { useLocalStorage } from '@mantine/hooks'
import { Panel, useReactFlow, useStore } from '@xyflow/react'
import { IconMap, IconMaximize, IconMinus } from '../../../design/icons/canvas-icons.ts'
import { IconPlus } from '../../../design/icons/page-icons.ts'
import { FIT } from '../geometry/first-view.ts'
import { FlowMap } from '../lazy-tools.tsx'
import classes from './canvas.module.css'

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
          className={classes.mapSwitch}
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
