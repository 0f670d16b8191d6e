import { useLayoutEffect } from 'react'
import { judgeEdge, judgeWire, portsThatFit } from '../../../editor/wiring/judge-wire.ts'
import { useWiringState } from './wiring-context.ts'

/** Lets wires be pulled: what fits what is known from here on. */
export function WireRules() {
  const wiring = useWiringState()
  useLayoutEffect(() => {
    wiring.rules = { judgeEdge, judgeWire, portsThatFit }
  }, [wiring])
  return null
}
