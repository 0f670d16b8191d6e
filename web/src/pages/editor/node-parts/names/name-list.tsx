import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import classes from './name-list.module.css'

interface NameListProps {
  readonly id: string
  readonly label: string
  readonly under: RefObject<HTMLElement | null>
  readonly names: readonly string[]
  readonly chosen: string
  readonly active: number | undefined
  /** What there is to say beside them, and whether something went wrong. */
  readonly remark: string
  readonly isTrouble: boolean
  readonly show: (name: string) => ReactNode
  readonly onChoose: (name: string) => void
}

/**
 * What can be chosen, under its field and over everything else: a node does not grow because a list has arrived, and
 * what is inside of the canvas is scaled and cut off with it.
 */
export function NameList(props: NameListProps) {
  const { id, label, under, names, chosen, active, show, onChoose } = props
  const box = useRef<HTMLDivElement>(null)
  useStandUnder(box, under)
  useEffect(() => {
    if (active !== undefined)
      box.current?.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return createPortal(
    // The field keeps the focus, whatever is pressed in here.
    <div
      ref={box}
      className={classes.box}
      onPointerDown={(event) => event.preventDefault()}
      role="presentation"
    >
      <div id={id} role="listbox" aria-label={label} className={classes.list} tabIndex={-1}>
        {names.map((name, place) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus, and its keys choose.
          <div
            key={name}
            id={`${id}-${place}`}
            role="option"
            tabIndex={-1}
            aria-selected={name === chosen}
            data-active={place === active || undefined}
            className={classes.option}
            onClick={() => onChoose(name)}
          >
            {show(name)}
          </div>
        ))}
      </div>
      <p className={classes.remark} role="status" data-trouble={props.isTrouble || undefined}>
        {props.remark}
      </p>
    </div>,
    document.body
  )
}

/** Follows its field: the canvas under both may be dragged and zoomed. */
function useStandUnder(box: RefObject<HTMLElement | null>, field: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    let frame: number
    const place = () => {
      const { style } = box.current!
      const { left, bottom, top, width } = field.current!.getBoundingClientRect()
      const height = box.current!.offsetHeight
      const isRoomBelow = bottom + GAP + height <= window.innerHeight || top < height
      style.left = `${Math.max(GAP, Math.min(left, window.innerWidth - box.current!.offsetWidth - GAP))}px`
      style.top = `${isRoomBelow ? bottom + GAP : top - GAP - height}px`
      style.minWidth = `${width}px`
      frame = requestAnimationFrame(place)
    }
    place()
    return () => cancelAnimationFrame(frame)
  }, [box, field])
}

const GAP = 4
