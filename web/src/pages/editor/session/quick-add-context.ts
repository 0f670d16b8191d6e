import { createContext, useContext } from 'react'
import type { Edge, Point } from '../../../editor/graph/flow.ts'
import type { Handle } from '../../../editor/wiring/judge-wire.ts'

export interface QuickAddRequest {
  /** Where on the screen it was asked for, and where the node will stand. */
  readonly screen: Point
  /** The loose end of a wire: only what fits is offered, and gets the wire. */
  readonly handle?: Handle
  /** The node goes into the middle of what is in sight, wherever the list was opened. */
  readonly isInView?: boolean
  /** The wire that the node is put into. */
  readonly into?: Edge
}

interface QuickAddControl {
  open(request: QuickAddRequest): void
}

export const QuickAddContext = createContext<QuickAddControl | undefined>(undefined)

export function useQuickAdd(): QuickAddControl {
  const control = useContext(QuickAddContext)
  if (control === undefined) throw new Error('useQuickAdd is used outside of <QuickAddContext>')
  return control
}
