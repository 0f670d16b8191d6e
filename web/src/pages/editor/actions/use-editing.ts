import { useReactFlow, useStoreApi } from '@xyflow/react'
import { useMemo } from 'react'
import { copyText } from '../../../design/copy-text.ts'
import { notifyDone, notifyRefusal } from '../../../design/notify.tsx'
import { copySelection, fragmentOf } from '../../../editor/clipboard/copy-selection.ts'
import { placeBeside, placeFreely } from '../../../editor/clipboard/place-fragment.ts'
import { pasteNotices, readClipboard } from '../../../editor/clipboard/read-clipboard.ts'
import type { Command, Fragment } from '../../../editor/commands/command.ts'
import { toggleDisabled } from '../../../editor/commands/disable-nodes.ts'
import { edgeKey, findNode, type Node, takenIds } from '../../../editor/graph/flow.ts'
import { withMembers } from '../../../editor/groups/groups.ts'
import { whyNotInside } from '../../../editor/regions/move-into-region.ts'
import { withInside } from '../../../editor/regions/regions.ts'
import { nodesNamed } from '../../../editor/template/rename-references.ts'
import { healAround } from '../../../editor/wiring/heal-around.ts'
import type { PageCatalogue } from '../../../editor/wiring/page-catalogue.ts'
import { type CanvasPart, sizesOf } from '../geometry/canvas-parts.ts'
import { upperThirdOf, useCanvasPointer } from '../geometry/canvas-pointer.ts'
import type { CanvasWire } from '../geometry/canvas-wires.ts'
import { intoSight, isWhole } from '../geometry/into-sight.ts'
import { snapped } from '../geometry/node-geometry.ts'
import { regionAt } from '../geometry/region-geometry.ts'
import { showImport } from '../import/show-import.tsx'
import type { EditorSession } from '../session/editor-session.ts'
import { useEditorSession } from '../session/session-context.ts'
import { boxOfFragment, placeOpenly } from './place-openly.ts'

type Ids = ReadonlySet<string>

/** What can be done with a selection; without ids, with what is selected. */
interface Editing {
  /** The flow document of the selection, or undefined where nothing is selected. */
  copied(ids?: Ids): string | undefined
  copy(ids?: Ids): Promise<boolean>
  cut(ids?: Ids): Promise<void>
  /** From text: where the pointer is, or in the upper left third of the canvas. */
  paste(text: string): void
  pasteFromClipboard(): Promise<void>
  duplicate(ids?: Ids): void
  remove(ids?: Ids): void
  /** Disables nodes; where all of them are disabled, enables them. */
  toggleDisabled(ids?: Ids): void
  selectAll(): void
}

export function useEditing(): Editing {
  const session = useEditorSession()
  const pointer = useCanvasPointer()
  const { screenToFlowPosition, getNodes, setViewport } = useReactFlow<CanvasPart, CanvasWire>()
  const store = useStoreApi()
  return useMemo(() => {
    // Copies are put where they cover nothing, and that may be where nobody looks.
    const insertInSight = (fragment: Fragment, by: 'paste' | 'duplicate') => {
      const box = boxOfFragment(fragment, session.state())
      session.insert(fragment, by)
      const sight = store.getState()
      if (box === undefined || isWhole(box, sight)) return
      const [x, y, zoom] = intoSight(box, [], sight)
      void setViewport({ x, y, zoom })
    }
    // A group stands for its nodes.
    const chosen = (ids: Ids | undefined) => {
      const { flow, selection } = session.state()
      return withMembers(flow, ids ?? selection.parts)
    }
    // A region is copied and removed with all that stands in it.
    const whole = (ids: Ids | undefined) => withInside(session.state().flow, chosen(ids))
    const copied: Editing['copied'] = (ids) => {
      const { flow } = session.state()
      const parts = whole(ids)
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
    const drawing = () => {
      const { flow, catalogue } = session.state()
      return { flow, catalogue, sizes: sizesOf(getNodes()) }
    }
    const paste: Editing['paste'] = (text) => {
      const { flow, catalogue } = session.state()
      const { fragment, message, foreign } = readClipboard(text)
      if (foreign === true) return showImport(session, new File([text], 'Pasted text'))
      if (fragment === undefined) return notifyRefusal('Nothing was pasted', message)
      const notices = pasteNotices(flow, catalogue, fragment)
      const at = screenToFlowPosition(pointer.at ?? upperThirdOf(store.getState().domNode!))
      const region = regionAt(flow, catalogue, at)
      const placed =
        region === undefined
          ? placeOpenly(fragment, drawing(), at)
          : intoRegion(placeFreely(fragment, snapped(at), flow), region, catalogue)
      insertInSight(placed, 'paste')
      for (const notice of notices) notifyRefusal('Pasted, but not valid yet', notice)
    }
    return {
      copied,
      copy,
      paste,
      cut: async (ids) => {
        // What is not in the clipboard would be gone.
        if (await copy(ids)) remove(session, whole(ids), new Set())
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
        const parts = whole(ids)
        if (parts.size === 0) return
        insertInSight(placeOpenly(placeBeside(fragmentOf(flow, parts), flow), drawing()), 'duplicate')
      },
      remove: (ids) =>
        remove(session, whole(ids), ids === undefined ? session.state().selection.wires : new Set()),
      toggleDisabled: (ids) => {
        const command = toggleDisabled(session.state().flow, chosen(ids))
        if (command !== undefined) session.execute(command)
      },
      selectAll: () => session.select({ parts: takenIds(session.state().flow), wires: new Set() })
    }
  }, [session, pointer, screenToFlowPosition, getNodes, setViewport, store])
}

/** What is pasted into a frame stands in it, as far as it may. */
function intoRegion(fragment: Fragment, region: string, catalogue: PageCatalogue): Fragment {
  const isFit = ({ type, parent }: Node) =>
    parent === undefined && whyNotInside(catalogue.facts(type)) === undefined
  return {
    ...fragment,
    nodes: fragment.nodes.map((node) => (isFit(node) ? { ...node, parent: region } : node))
  }
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
  session.execute(
    healed.length === 0 ? command : { kind: 'all', commands: [command, ...healed], label: 'Remove node' }
  )
  const readers = flow.nodes.filter(({ id, fields }) => !ids.has(id) && readsOneOf(fields, ids))
  if (readers.length > 0) notifyDone(stillRead(readers), () => session.undo())
  else if (ids.size > 1) notifyDone(`${ids.size} parts were removed.`, () => session.undo())
}

function readsOneOf(fields: Node['fields'], ids: Ids): boolean {
  return [...nodesNamed(fields)].some((id) => ids.has(id))
}

const MOST_READERS = 5

/** References to what is gone keep the flow from being published. */
function stillRead(readers: readonly Node[]): string {
  const named = readers.slice(0, MOST_READERS).map(({ id }) => id)
  const more = readers.length - named.length
  const list = `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  return `Removed, and still read by ${list}. Change what they read.`
}
