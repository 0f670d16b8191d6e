import type { AnyComponent } from './component.ts'

export type Knows = (context: string) => boolean

/** The components that a flow can use: which ones depends on the context that the flow lives in. */
export interface Catalogue {
  find(context: string, type: string): AnyComponent | undefined
  hasContext(context: string): boolean
  /**
   * Why the type cannot be used in that context and what to do, in plain words. `knows` tells of which contexts
   * the reader may learn; of all where it is left out.
   */
  explainMissing(context: string, type: string, knows?: Knows): string
}
