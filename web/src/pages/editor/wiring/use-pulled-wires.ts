import type {
  Connection,
  FinalConnectionState,
  IsValidConnection,
  OnConnectStart,
  OnReconnect
} from '@xyflow/react'
import { useMemo, useRef } from 'react'
import type { Command } from '../../../editor/commands/command.ts'
import { type Edge, endText, type Point } from '../../../editor/graph/flow.ts'
import { portOfHandle } from '../../../editor/wiring/drawn-ports.ts'
import type { Handle } from '../../../editor/wiring/judge-wire.ts'
import type { CanvasWire } from '../geometry/canvas-wires.ts'
import { useQuickAdd } from '../session/quick-add-context.ts'
import { useEditorSession } from '../session/session-context.ts'
import { handleOf } from './handle-of.ts'
import { useWiringState } from './wiring-context.ts'

/** Wires that are pulled by hand: to a port, to a node, or into the void. */
export function usePulledWires(onRefused: (message: string | undefined) => void) {
  const session = useEditorSession()
  const wiring = useWiringState()
  const quickAdd = useQuickAdd()
  const refused = useRef(onRefused)
  refused.current = onRefused
  return useMemo(() => {
    const connectToNode = (from: Handle, node: string): boolean => {
      const { flow, catalogue } = session.state()
      const fitting = wiring.rules?.portsThatFit(flow, catalogue, from) ?? []
      const ports = [...fitting].filter((end) => end.startsWith(`${node}.`))
      // An input that nothing leads to is what was meant.
      const port = ports.find((end) => !flow.edges.some(({ to }) => to === end)) ?? ports[0]
      if (port === undefined) return false
      const edge =
        from.side === 'output' ? { from: endText(from), to: port } : { from: port, to: endText(from) }
      session.execute({ kind: 'connect', edge })
      return true
    }
    const dropOnNothing = (event: MouseEvent | TouchEvent, from: Handle) => {
      const screen = pointOf(event)
      const node = nodeAt(screen)
      if (node === from.node) return
      if (node === undefined) quickAdd.open({ screen, handle: from })
      else if (!connectToNode(from, node)) refused.current('This node has no port that fits the wire.')
    }
    return {
      isValidConnection: ((connection) => {
        const { flow, catalogue } = session.state()
        return wiring.rules?.judgeEdge(flow, catalogue, edgeOf(connection)).fits ?? false
      }) satisfies IsValidConnection<CanvasWire>,
      onConnectStart: ((_event, { nodeId, handleId, handleType }) => {
        // Why the wire before was not taken would be read as a word about this one.
        refused.current(undefined)
        const { flow, catalogue } = session.state()
        const from =
          nodeId === null || handleType === null
            ? undefined
            : handleOf({ nodeId, id: handleId, type: handleType })
        if (from !== undefined) wiring.begin(flow, catalogue, from)
      }) satisfies OnConnectStart,
      onConnect: (connection: Connection) => {
        session.execute({ kind: 'connect', edge: edgeOf(connection) })
      },
      onConnectEnd: (event: MouseEvent | TouchEvent, connection: FinalConnectionState) => {
        wiring.end()
        const from = handleOf(connection.fromHandle)
        const to = handleOf(connection.toHandle)
        if (connection.isValid === true || from === undefined || session.state().isReadOnly) return
        if (to === undefined) return dropOnNothing(event, from)
        const { flow, catalogue } = session.state()
        const verdict = wiring.rules?.judgeWire(flow, catalogue, from, to)
        const isSame = from.node === to.node && from.port === to.port
        if (verdict?.fits === false && !isSame) refused.current(verdict.message)
      },
      onReconnect: ((wire, connection) => {
        session.execute({ kind: 'reconnect', edge: edgeOf(wire), as: edgeOf(connection) })
      }) satisfies OnReconnect<CanvasWire>,
      /** A wire that was pulled off its port and let go is removed. */
      onReconnectEnd: (
        _event: MouseEvent | TouchEvent,
        wire: CanvasWire,
        _side: unknown,
        connection: FinalConnectionState
      ) => {
        wiring.end()
        if (connection.isValid === true || connection.toHandle !== null) return
        const command: Command = { kind: 'disconnect', edge: edgeOf(wire) }
        session.execute(command)
      }
    }
  }, [session, wiring, quickAdd])
}

function edgeOf(connection: {
  readonly source: string
  readonly target: string
  readonly sourceHandle?: string | null | undefined
  readonly targetHandle?: string | null | undefined
}): Edge {
  const { source, target, sourceHandle, targetHandle } = connection
  return {
    from: endText({ node: source, port: portOfHandle(sourceHandle ?? '') }),
    to: endText({ node: target, port: targetHandle ?? '' })
  }
}

function pointOf(event: MouseEvent | TouchEvent): Point {
  const { clientX, clientY } = 'changedTouches' in event ? event.changedTouches[0]! : event
  return { x: clientX, y: clientY }
}

function nodeAt({ x, y }: Point): string | undefined {
  const node = document.elementFromPoint(x, y)?.closest('[data-node]')
  return node?.getAttribute('data-node') ?? undefined
}
