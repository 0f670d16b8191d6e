import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { type Edge, edgeKey, findNode, nodeOfEnd, type Point } from '../../../editor/graph/flow.ts'
import { useEditorState } from '../editor-context.ts'
import { WireValue } from './wire-value.tsx'
import classes from './wire-values.module.css'

interface WireCardProps {
  /** By `edgeKey`. */
  readonly wire: string
  /** The middle of the wire, on the screen. */
  readonly at: Point
  readonly onMouseEnter: () => void
  readonly onMouseLeave: () => void
  readonly onClose: () => void
}

/** Below the tools of a wire that is pointed at: what went over it. Of one size from near and from far. */
export function WireCard({ wire, at, onClose, ...hover }: WireCardProps) {
  const edge = useEditorState(({ flow }) => flow.edges.find((candidate) => edgeKey(candidate) === wire))
  const card = useRef<HTMLDivElement>(null)
  const place = usePlace(card, at)
  useCloseElsewhere(card, onClose)
  if (edge === undefined) return null
  return createPortal(
    <div ref={card} className={classes.card} style={place} {...hover} role="tooltip">
      <Ends edge={edge} />
      <WireValue edge={edge} />
    </div>,
    document.body
  )
}

function Ends({ edge }: { readonly edge: Edge }) {
  const flow = useEditorState((state) => state.flow)
  const catalogue = useEditorState((state) => state.catalogue)
  const nameOf = (end: string) => {
    const id = nodeOfEnd(end)
    const node = findNode(flow, id)
    return `${node === undefined ? id : catalogue.titleOf(node)} · ${end.slice(id.length + 1)}`
  }
  return (
    <p className={classes.endpoints}>
      {nameOf(edge.from)} → {nameOf(edge.to)}
    </p>
  )
}

const BESIDE = 22
const RIM = 8

/** Within the window: below the wire, or above it where there is more room. */
function usePlace(card: React.RefObject<HTMLDivElement | null>, at: Point): React.CSSProperties {
  const [size, setSize] = useState({ width: 320, height: 0 })
  useLayoutEffect(() => {
    if (card.current === null) return
    const watcher = new ResizeObserver(([entry]) => {
      const box = entry!.target.getBoundingClientRect()
      setSize({ width: box.width, height: box.height })
    })
    watcher.observe(card.current)
    return () => watcher.disconnect()
  }, [card])
  const left = clamp(at.x - size.width / 2, window.innerWidth - size.width)
  const isBelow = at.y + BESIDE + size.height + RIM <= window.innerHeight
  const top = clamp(isBelow ? at.y + BESIDE : at.y - BESIDE - size.height, window.innerHeight - size.height)
  return { left, top }
}

function clamp(place: number, most: number): number {
  return Math.max(RIM, Math.min(place, most - RIM))
}

/** Where the canvas is moved or something else is taken hold of, it would be in the way. */
function useCloseElsewhere(card: React.RefObject<HTMLDivElement | null>, onClose: () => void): void {
  const newest = useRef(onClose)
  newest.current = onClose
  useEffect(() => {
    const close = ({ target }: Event) => {
      if (!(target instanceof Node && card.current?.contains(target))) newest.current()
    }
    const kinds = ['wheel', 'pointerdown', 'keydown'] as const
    for (const kind of kinds) window.addEventListener(kind, close, { capture: true, passive: true })
    return () => {
      for (const kind of kinds) window.removeEventListener(kind, close, { capture: true })
    }
  }, [card])
}
