import { createContext, useContext } from 'react'
import type { Problem } from '../../../api/problem.ts'
import type { Reviewed } from '../../../api/publishing.ts'
import type { Flow } from '../../../api/shapes.ts'
import type { Choice } from '../../../editor/merge/conflict.ts'
import type { SaveStatus } from '../../../editor/save/save-state.ts'

export interface Saving {
  /** Somebody has deleted the flow while it is open here. */
  readonly isDeleted: boolean
  /** Saves now, without waiting for a pause. */
  flush(): void
  /** Whose version of a part that two editors changed is taken. */
  choose(conflict: string, choice: Choice): void
  /** Makes live what was looked at. It does not reject: what was in its way is told. */
  publish(publication: Publication): Promise<Published>
}

/** What the new version is called, and a sentence about it. */
export interface Publication {
  /** What was looked at: nothing else is published. */
  readonly reviewed: Reviewed
  readonly name?: string
  readonly note?: string
  /** Also where the draft does not do what is expected of the flow. */
  readonly acceptsFailing?: boolean
}

export type Published =
  | { readonly kind: 'published'; readonly flow: Flow }
  /** What is live is what is drawn. */
  | { readonly kind: 'nothing to publish' }
  /** What is drawn is not saved, so it cannot be published; the status says why. */
  | { readonly kind: 'not saved'; readonly status: SaveStatus }
  /** Somebody else has saved the draft or the flow meanwhile: what they did is being merged in, to be looked at first. */
  | { readonly kind: 'changed meanwhile' }
  /** Its faults keep it from being live, or the key may not do it. */
  | { readonly kind: 'refused'; readonly problem: Problem }

export const SavingContext = createContext<Saving | undefined>(undefined)

export function useSaving(): Saving {
  const saving = useContext(SavingContext)
  if (saving === undefined) throw new Error('useSaving is used outside of <SavingContext>')
  return saving
}
