import { createContext, type RefObject, useContext } from 'react'

/** Where somebody was writing a template before they went elsewhere: a key that they choose there goes to this place. */
export interface LeftCaret {
  readonly node: string
  readonly field: string
  /** In the text of the template. */
  readonly at: number
}

export const LeftCaretContext = createContext<RefObject<LeftCaret | undefined>>({ current: undefined })

/** It draws nothing again: it is asked when a key is chosen. */
export function useLeftCaret(): RefObject<LeftCaret | undefined> {
  return useContext(LeftCaretContext)
}
