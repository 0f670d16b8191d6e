import { createContext } from 'react'

/** What all rows of one condition share. */
interface ConditionsScope {
  /** The id of the list of paths that are offered. */
  readonly list: string
  /** The names that the condition sees. */
  readonly roots: readonly string[]
}

export const ConditionsContext = createContext<ConditionsScope>({ list: '', roots: [] })
