import { useMediaQuery } from '@mantine/hooks'
import { useEffect, useMemo, useRef, useState } from 'react'
import { isWithin } from '../../../../../src/contexts/context-path.ts'
import type { ContextFacts } from '../../../api/contexts.ts'
import classes from './context-tree.module.css'
import { Legend } from './legend.tsx'
import { treeMove } from './tree-keys.ts'
import { closedAtFirst, layoutTree, openedFor, relationTo } from './tree-layout.ts'
import { TreeLines } from './tree-lines.tsx'
import { TreeNode } from './tree-node.tsx'

interface ContextTreeProps {
  readonly contexts: readonly ContextFacts[]
  readonly chosen: string
  /** Contexts that an answer is about: where a name is registered. */
  readonly marked: ReadonlySet<string>
  readonly onChoose: (path: string, isQuick?: boolean) => void
}

/** The tree as a picture. For screen readers and the keyboard it is a tree as any other. */
export function ContextTree({ contexts, chosen, marked, onChoose }: ContextTreeProps) {
  const isNarrow = useMediaQuery('(max-width: 720px)', false, { getInitialValueInEffect: false })
  const [closed, setClosed] = useState(() => closedAtFirst(contexts))
  const direction = isNarrow ? 'down' : 'across'
  const hidden = useMemo(() => openedFor(chosen, closed), [chosen, closed])
  const picture = useMemo(() => layoutTree(contexts, hidden, direction), [contexts, hidden, direction])
  const nodes = useRef(new Map<string, HTMLElement>())
  const shown = picture.items.some(({ context }) => context.path === chosen) ? chosen : '/'
  const room = useRef<HTMLDivElement>(null)
  const isOpened = useRef(false)
  useEffect(() => {
    const node = nodes.current.get(shown)
    // The browser's own way makes the node the place from which Tab goes on: a page that was just opened would begin
    // behind its navigation.
    if (isOpened.current) node?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    else if (node !== undefined && room.current !== null) scrollWithin(room.current, node)
    isOpened.current = true
  }, [shown])
  const toggle = (path: string) => {
    const isClosing = !hidden.has(path)
    setClosed(isClosing ? closed.union(new Set([path])) : closed.difference(new Set([path])))
    // What is chosen must not disappear into what is closed.
    if (isClosing && chosen !== path && isWithin(chosen, path)) onChoose(path)
  }
  const onKeyDown = (event: React.KeyboardEvent, at: string) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const move = treeMove(picture.items, at, event.key)
    if (move === undefined) return
    event.preventDefault()
    if ('go' in move) {
      nodes.current.get(move.go)?.focus()
      onChoose(move.go, true)
    } else toggle('expand' in move ? move.expand : move.collapse)
  }
  return (
    <div className={classes.frame}>
      <div ref={room} className={classes.room}>
        <div
          className={classes.picture}
          style={{ height: picture.height, ...(isNarrow ? {} : { width: picture.width }) }}
        >
          <TreeLines picture={picture} direction={direction} chosen={chosen} />
          <div role="tree" aria-label="Contexts">
            {picture.items.map((item) => (
              <TreeNode
                key={item.context.path}
                item={item}
                isNarrow={isNarrow}
                relation={relationTo(chosen, item.context.path)}
                isMarked={marked.has(item.context.path)}
                isInTabOrder={item.context.path === shown}
                onChoose={() => onChoose(item.context.path)}
                onToggle={() => toggle(item.context.path)}
                onKeyDown={(event) => onKeyDown(event, item.context.path)}
                nodeRef={(node) => {
                  if (node === null) nodes.current.delete(item.context.path)
                  else nodes.current.set(item.context.path, node)
                }}
              />
            ))}
          </div>
        </div>
      </div>
      <Legend hasMarks={marked.size > 0} />
    </div>
  )
}

/** As little as brings the node into the room, with some of what is around it. */
function scrollWithin(room: HTMLElement, node: HTMLElement): void {
  const [outer, inner] = [room.getBoundingClientRect(), node.getBoundingClientRect()]
  room.scrollBy({
    left: missing([outer.left, outer.right], [inner.left, inner.right]),
    top: missing([outer.top, outer.bottom], [inner.top, inner.bottom])
  })
}

const AROUND = 16

function missing([from, to]: readonly [number, number], [begin, end]: readonly [number, number]): number {
  if (begin - AROUND < from) return begin - AROUND - from
  return Math.max(0, end + AROUND - to)
}
