import type { NeededConnection, Verdict } from './imported-flow.ts'
import { unwatched } from './watched-settings.ts'

/** One node that is made of a node of another tool, or one of several. */
export interface Part {
  readonly type: string
  readonly fields: Readonly<Record<string, unknown>>
  readonly title?: string
  readonly disabled?: boolean
  /** It stands inside of the first part, which is a region. */
  readonly isInside?: boolean
}

/** What becomes of a node. Ends of wires are written `part.port`. */
export interface Become {
  readonly verdict: Verdict
  readonly note: string
  /** The first is the one that the report names. */
  readonly parts: Readonly<Record<string, Part>>
  readonly links?: readonly (readonly [from: string, to: string])[]
  /** Further ends that each wire to it leads to, after the first. */
  readonly feeds?: readonly string[]
  /** Where a wire to this input leads. */
  readonly takes: (input: string) => string | undefined
  /** Where a wire from this output begins. */
  readonly gives: (output: string) => string | undefined
  readonly connections?: readonly NeededConnection[]
}

/** A node that becomes one node. `ports` say where its wires are; one word is for all of them. */
export function single(
  part: Part,
  ports: { readonly takes?: string; readonly gives?: string },
  told: { readonly verdict?: Verdict; readonly note?: string } = {}
): Become {
  const { takes, gives } = ports
  return {
    verdict: told.verdict ?? (told.note ? 'adapted' : 'exact'),
    note: told.note ?? '',
    parts: { main: part },
    takes: () => takes && `main.${takes}`,
    gives: () => gives && `main.${gives}`
  }
}

/** Its fields without what watches who reads them. */
export function withPlainFields(become: Become): Become {
  const parts = Object.entries(become.parts).map(([name, part]) => [
    name,
    { ...part, fields: unwatched(part.fields) }
  ])
  return { ...become, parts: Object.fromEntries(parts) }
}

/** With what differs besides; nothing stands for a placeholder yet that could differ. */
export function withNote(become: Become, note: string): Become {
  if (note === '' || become.verdict === 'placeholder') return become
  return { ...become, verdict: 'adapted', note: `${become.note} ${note}`.trim() }
}

/** What is passed on as it is: a node that is not run hands on what reaches it. */
export const PASSES_ON: Part = { type: 'transform', fields: {}, disabled: true }
