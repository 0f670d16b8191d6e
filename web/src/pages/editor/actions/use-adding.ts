import { useQueryClient } from '@tanstack/react-query'
import { useReactFlow, useStoreApi } from '@xyflow/react'
import { useMemo } from 'react'
import { type End, parseEnd } from '../../../../../src/flows/graph/graph.ts'
import { visibleConnections } from '../../../api/connections.ts'
import { notifyRefusal } from '../../../design/notify.tsx'
import type { Command, Fragment } from '../../../editor/commands/command.ts'
import { insertFragment } from '../../../editor/commands/insert-fragment.ts'
import { type Edge, type Flow, findNode, type Point, takenIds } from '../../../editor/graph/flow.ts'
import { freeId } from '../../../editor/graph/free-ids.ts'
import { inRegion, whyNotInside } from '../../../editor/regions/move-into-region.ts'
import { newNode } from '../../../editor/wiring/fitting-components.ts'
import type { Handle } from '../../../editor/wiring/judge-wire.ts'
import { regionForNew } from '../../../editor/wiring/region-scope.ts'
import { spliceInto } from '../../../editor/wiring/splice.ts'
import type { Offer } from '../components/offers.ts'
import { rememberUsed } from '../components/recently-used.ts'
import { outputIn } from '../editor-context.ts'
import { type CanvasPart, sizesOf } from '../geometry/canvas-parts.ts'
import type { CanvasWire } from '../geometry/canvas-wires.ts'
import { NODE_WIDTH, NOTE_SIZE, portPlace, portsOf } from '../geometry/node-geometry.ts'
import { regionAt } from '../geometry/region-geometry.ts'
import { useEditorSession } from '../session/session-context.ts'
import { afterSelected } from './after-selected.ts'
import { begunHere, begunWithConnection, begunWithKeys } from './begin-here.ts'
import { freePlace, openPlace } from './free-place.ts'
import { sizeOfNew } from './size-of-new.ts'

interface Adding {
  /** Adds something behind the node that is selected and wires it, or else in the middle of what is in sight. */
  addInView(offer: Offer): void
  /** The same, or else where it was asked for, or beside what stands there: a pile of nodes is of no use to anybody. */
  addNear(offer: Offer, screen: Point): void
  /** Adds something exactly where it was dropped, and wires it. */
  addAt(offer: Offer, screen: Point, wired?: Wired): void
}

interface Wired {
  readonly handle?: Handle
  readonly into?: Edge
}

/** New nodes and notes, put where a hand or an eye is. */
export function useAdding(): Adding {
  const session = useEditorSession()
  const { screenToFlowPosition, getNodes } = useReactFlow<CanvasPart, CanvasWire>()
  const store = useStoreApi()
  const queries = useQueryClient()
  return useMemo(() => {
    const add = (chosen: Offer, position: Point, wired: Wired) => {
      const { flow, run } = session.state()
      const source = sourceOf(wired)
      const seen = visibleConnections(queries, flow.context)
      const begun = begunWithConnection(begunHere(chosen, ownZone()), seen)
      const offer = begunWithKeys(begun, source && outputIn(run, source))
      const region = offer.facts === undefined ? undefined : regionFor(position, wired)
      const refusal = region === undefined ? undefined : whyNotInside(offer.facts)
      if (refusal !== undefined) return notifyRefusal('Nothing was added', refusal)
      const fragment =
        offer.facts === undefined
          ? newNote(flow, position)
          : inRegion(newNode(flow, position, { ...offer, facts: offer.facts }, wired.handle), region)
      if (wired.into === undefined) session.insert(fragment, 'add')
      else insertInto(fragment, wired.into)
      const added = [...fragment.nodes, ...fragment.notes][0]!.id
      // Whoever puts a note somewhere has something to write.
      if (offer.facts === undefined) session.rename(added)
      session.goTo(added)
      rememberUsed(chosen)
    }
    const regionFor = ({ x, y }: Point, wired: Wired) => {
      const { flow, catalogue } = session.state()
      const under = regionAt(flow, catalogue, { x: x + NODE_WIDTH / 2, y: y + 32 })
      return regionForNew(flow, catalogue, under, wired)
    }
    const insertInto = (fragment: Fragment, edge: Edge) => {
      const { flow, catalogue } = session.state()
      const inserted = insertFragment(flow, fragment)
      const splice = spliceInto(inserted, catalogue, fragment.nodes[0]!.id, edge)
      const commands: Command[] = [{ kind: 'insert', fragment }]
      if (splice?.command !== undefined) commands.push(splice.command)
      session.execute({ kind: 'all', commands, label: 'Insert a node into the wire' })
    }
    const wishedPlace = (offer: Offer, screen: Point, handle: Handle | undefined) => {
      const at = screenToFlowPosition(screen)
      return offer.facts === undefined ? notePlace(at) : nodePlace(at, offer, handle)
    }
    const sizeOf = (offer: Offer) => {
      const { flow, catalogue } = session.state()
      if (offer.facts === undefined) return NOTE_SIZE
      const [node] = newNode(flow, { x: 0, y: 0 }, { ...offer, facts: offer.facts }).nodes
      return sizeOfNew(flow, catalogue, node!)
    }
    const addUncovered = (chosen: Offer, screen: Point) => {
      const { flow, catalogue, selection } = session.state()
      const after = afterSelected(flow, catalogue, selection.parts, chosen)
      if (after !== undefined && addBehind(after)) return
      const offer = chosen
      const size = sizeOf(offer)
      const wished = wishedPlace(offer, screen, undefined)
      add(offer, openPlace(session.state().flow, sizesOf(getNodes()), wished, size), {})
    }
    const addBehind = ({ offer, handle }: NonNullable<ReturnType<typeof afterSelected>>): boolean => {
      const part = getNodes().find(({ id }) => id === handle.node)
      const node = findNode(session.state().flow, handle.node)
      if (part === undefined || node === undefined) return false
      const wished = { x: node.position.x + (part.measured?.width ?? NODE_WIDTH) + GAP, y: node.position.y }
      const place = openPlace(session.state().flow, sizesOf(getNodes()), wished, sizeOf(offer))
      add(offer, place, { handle })
      return true
    }
    return {
      addNear: addUncovered,
      addAt: (offer, screen, wired = {}) => {
        const wished = wishedPlace(offer, screen, wired.handle)
        add(offer, freePlace(session.state().flow, wished), wired)
      },
      addInView: (offer) => {
        const box = store.getState().domNode?.getBoundingClientRect()
        if (box === undefined) return
        const middle = { x: box.left + box.width / 2, y: box.top + box.height / 3 }
        addUncovered(offer, middle)
      }
    }
  }, [session, screenToFlowPosition, getNodes, store, queries])
}

/** Between a node and the one that was added behind it. */
const GAP = 88

/** The output that the wire comes from. */
function sourceOf({ handle, into }: Wired): End | undefined {
  if (into !== undefined) return parseEnd(into.from)
  return handle?.side === 'output' ? handle : undefined
}

/** The header comes under the cursor; at the end of a wire, the port does. */
function nodePlace(at: Point, { facts, port }: Offer, handle: Handle | undefined): Point {
  if (facts === undefined || handle === undefined || port === undefined) {
    return { x: at.x - NODE_WIDTH / 2, y: at.y - 24 }
  }
  const side = handle.side === 'output' ? 'input' : 'output'
  const names = Object.keys(side === 'input' ? facts.inputs : facts.outputs)
  const { x, y } = portPlace(portsOf(facts), side, Math.max(0, names.indexOf(port)))
  return { x: at.x - x, y: at.y - y }
}

function notePlace(at: Point): Point {
  return { x: at.x - NOTE_SIZE.width / 2, y: at.y - 24 }
}

function newNote(flow: Flow, position: Point): Fragment {
  const note = { id: freeId('note', takenIds(flow)), text: '', position, size: NOTE_SIZE }
  return { nodes: [], edges: [], notes: [note] }
}

function ownZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}
