import { createContext, useContext } from 'react'

export interface Place {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** Opens the menu of a node beside a place on the screen. One menu serves all nodes: a thousand would weigh. */
type OpenNodeMenu = (node: string, beside: Place) => void

export const NodeMenuContext = createContext<OpenNodeMenu>(() => undefined)

export function useNodeMenu(): OpenNodeMenu {
  return useContext(NodeMenuContext)
}
