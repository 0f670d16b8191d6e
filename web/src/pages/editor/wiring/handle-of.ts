import { portOfHandle } from '../../../editor/wiring/drawn-ports.ts'
import type { Handle } from '../../../editor/wiring/judge-wire.ts'

interface CanvasHandle {
  readonly nodeId: string
  readonly id?: string | null
  readonly type: 'source' | 'target'
}

/** A port of the canvas, in the words of the flow. */
export function handleOf(handle: CanvasHandle | null | undefined): Handle | undefined {
  if (handle === null || handle === undefined || handle.id === null || handle.id === undefined)
    return undefined
  return {
    node: handle.nodeId,
    port: portOfHandle(handle.id),
    side: handle.type === 'source' ? 'output' : 'input'
  }
}
