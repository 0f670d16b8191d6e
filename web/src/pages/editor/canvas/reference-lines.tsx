import { useNodes, useStore, ViewportPortal } from '@xyflow/react'
import { useEffect, useMemo, useState } from 'react'
import type { Point } from '../../../editor/graph/flow.ts'
import { type Reference, referencesIn } from '../../../editor/wiring/references.ts'
import { useDrawnFlow, useEditorState } from '../editor-context.ts'
import { arcAbove } from '../geometry/arc-above.ts'
import type { CanvasPart } from '../geometry/canvas-parts.ts'
import classes from './reference-lines.module.css'

/** Dotted lines between a node that is pointed at or selected and those that it reads, or that read it, without a wire. */
export function ReferenceLines() {
  const nodes = useDrawnFlow((flow) => flow.nodes)
  const selected = useEditorState(({ selection }) => selection.parts)
  const hovered = useHoveredNode()
  const references = useMemo(() => referencesIn({ nodes }), [nodes])
  const shown = references.filter(({ read, reader }) =>
    [read, reader].some((id) => id === hovered || selected.has(id))
  )
  return shown.length === 0 ? null : <Lines references={shown} />
}

function Lines({ references }: { readonly references: readonly Reference[] }) {
  const parts = new Map(useNodes<CanvasPart>().map((part) => [part.id, part]))
  return (
    <ViewportPortal>
      <svg className={classes.lines} aria-hidden>
        {references.map(({ read, reader }) => {
          const [from, to] = [parts.get(read), parts.get(reader)]
          return from === undefined || to === undefined ? null : (
            <path key={`${read} ${reader}`} data-reads={`${reader} ${read}`} d={pathBetween(from, to)} />
          )
        })}
      </svg>
    </ViewportPortal>
  )
}

/** From above the one to above the other, so that no line lies on a wire. */
function pathBetween(from: CanvasPart, to: CanvasPart): string {
  return arcAbove(topOf(from), topOf(to))
}

function topOf({ position, width, measured }: CanvasPart): Point {
  return { x: position.x + (width ?? measured?.width ?? 0) / 2, y: position.y }
}

/** The node under the pointer. Nobody else asks for it, so that nothing else is drawn again. */
function useHoveredNode(): string | undefined {
  const room = useStore(({ domNode }) => domNode)
  const [hovered, setHovered] = useState<string | undefined>()
  useEffect(() => {
    const follow = ({ target }: Event) => {
      const node = target instanceof Element ? target.closest<HTMLElement>('[data-node]') : null
      setHovered(node?.dataset.node)
    }
    const leave = () => setHovered(undefined)
    room?.addEventListener('pointerover', follow)
    room?.addEventListener('pointerleave', leave)
    return () => {
      room?.removeEventListener('pointerover', follow)
      room?.removeEventListener('pointerleave', leave)
    }
  }, [room])
  return hovered
}
