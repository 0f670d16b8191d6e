import { createContext, useContext } from 'react'
import type { Choice } from '../../../editor/merge/conflict.ts'

export interface Saving {
  /** Somebody has deleted the flow while it is open here. */
  readonly isDeleted: boolean
  /** Saves now, without waiting for a pause. */
  flush(): void
  /** Whose version of a part that two editors changed is taken. */
  choose(conflict: string, choice: Choice): void
}

export const SavingContext = createContext<Saving | undefined>(undefined)

export function useSaving(): Saving {
  const saving = useContext(SavingContext)
  if (saving === undefined) throw new Error('useSaving is used outside of <SavingContext>')
  return saving
}
