import { useReactFlow, useStoreApi } from '@xyflow/react'
import { useMemo } from 'react'
import { copyText } from '../../../design/copy-text.ts'
import { notifyDone, notifyRefusal } from '../../../design/notify.tsx'
import { copySelection, fragmentOf } from '../../../editor/clipboard/copy-selection.ts'
import { placeAt, placeBeside } from '../../../editor/clipboard/place-fragment.ts'
import { pasteNotices, readClipboard } from '../../../editor/clipboard/read-clipboard.ts'
import type { Command } from '../../../editor/commands/command.ts'
import { edgeKey, findNode, type Node, takenIds } from '../../../editor/graph/flow.ts'
import { healAround } from '../../../editor/wiring/splice.ts'
import { type CanvasPart, type CanvasWire, sizesOf } from '../geometry/canvas-parts.ts'
import { upperThirdOf, useCanvasPointer } from '../geometry/canvas-pointer.ts'
import { isTouched } from '../geometry/into-sight.ts'
import { snapped } from '../geometry/node-geometry.ts'
import { FIT } from '../geometry/use-viewport.ts'
import type { EditorSession } from '../session/editor-session.ts'
import { useEditorSession } from '../session/session-context.ts'

type Ids = ReadonlySet<string>

/** What can be done with a selection; without ids, with what is selected. */
export interface Editing {
  /** The flow document of the selection, or undefined where nothing is selected. */
  copied(ids?: Ids): string | undefined
  copy(ids?: Ids): Promise<boolean>
  cut(ids?: Ids): Promise<void>
  /** From text: where the pointer is, or in the upper left third of the canvas. */
  paste(text: string): void
  pasteFromClipboard(): Promise<void>
  duplicate(ids?: Ids): void
  remove(ids?: Ids): void
  selectAll(): void
  /** Lays out all, or what is selected where that is more than one. */
  tidy(): Promise<void>
}

export function useEditing(): Editing {
  const session = useEditorSession()
  const pointer = useCanvasPointer()
  const { getNodes, screenToFlowPosition, fitView } = useReactFlow<CanvasPart, CanvasWire>()
  const store = useStoreApi()
  return useMemo(() => {
    const chosen = (ids: Ids | undefined) => ids ?? session.state().selection.parts
    const copied: Editing['copied'] = (ids) => {
      const { flow } = session.state()
      const parts = chosen(ids)
      return parts.size === 0 ? undefined : copySelection(flow, parts)
    }
    const copy = async (ids?: Ids): Promise<boolean> => {
      const text = copied(ids)
      if (text === undefined) return false
      const isCopied = await copyText(text)
      if (!isCopied)
        notifyRefusal('Nothing was copied', 'The browser did not allow it. Use the keys instead.')
      return isCopied
    }
    const paste: Editing['paste'] = (text) => {
      const { flow, catalogue } = session.state()
      const { fragment, message } = readClipboard(text)
      if (fragment === undefined) return notifyRefusal('Nothing was pasted', message)
      const notices = pasteNotices(flow, catalogue, fragment)
      const at = screenToFlowPosition(pointer.at ?? upperThirdOf(store.getState().domNode!))
      const placed = placeAt(fragment, snapped(at))
      session.insert(placed, 'paste')
      for (const notice of notices) notifyRefusal('Pasted, but not valid yet', notice)
    }
    return {
      copied,
      copy,
      paste,
      cut: async (ids) => {
        // What is not in the clipboard would be gone.
        if (await copy(ids)) remove(session, chosen(ids), new Set())
      },
      pasteFromClipboard: async () => {
        try {
          paste(await navigator.clipboard.readText())
        } catch {
          notifyRefusal(
            'Nothing was pasted',
            'The browser does not let the page read the clipboard. Use the keys instead.'
          )
        }
      },
      duplicate: (ids) => {
        const { flow } = session.state()
        const parts = chosen(ids)
        if (parts.size > 0) session.insert(placeBeside(fragmentOf(flow, parts), flow), 'duplicate')
      },
      remove: (ids) =>
        remove(session, chosen(ids), ids === undefined ? session.state().selection.wires : new Set()),
      selectAll: () => session.select({ parts: takenIds(session.state().flow), wires: new Set() }),
      tidy: async () => {
        // Laying out is a library of its own, loaded when it is first asked for.
        const loaded = await import('../../../editor/layout/tidy.ts').catch(() => undefined)
        if (loaded === undefined)
          return notifyRefusal('Nothing was tidied', 'A part of the page did not load.')
        const { flow, selection } = session.state()
        const sizes = sizesOf(getNodes())
        const only = selection.parts.size > 1 ? selection.parts : undefined
        session.perform(loaded.tidy(flow, sizes, only))
        const isInSight = ({ id, position }: Node) =>
          isTouched({ ...position, ...sizes.get(id)! }, store.getState())
        // Who asked for order must not be left with an empty canvas.
        if (!session.state().flow.nodes.some(isInSight)) void fitView(FIT)
      }
    }
  }, [session, pointer, getNodes, screenToFlowPosition, fitView, store])
}

function remove(session: EditorSession, ids: Ids, wires: Ids): void {
  const { flow, catalogue, isReadOnly } = session.state()
  if (ids.size + wires.size === 0 || isReadOnly) return
  const edges = flow.edges.filter((edge) => wires.has(edgeKey(edge)))
  const command: Command = { kind: 'remove', ids: [...ids], edges }
  const [only] = ids
  const isNode = ids.size === 1 && findNode(flow, only!) !== undefined
  // What was wired through a node that goes is wired past it, as before it was put in.
  const healed = isNode
    ? healAround(flow, catalogue, only!).map((edge): Command => ({ kind: 'connect', edge }))
    : []
  session.perform(
    healed.length === 0 ? command : { kind: 'all', commands: [command, ...healed], label: 'Remove node' }
  )
  if (ids.size > 1) notifyDone(`${ids.size} parts were removed.`, () => session.undo())
}
