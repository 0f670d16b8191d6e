import type { ListedFlow } from '../../api/shapes.ts'
import type { Failures } from '../../flow-parts/use-flow-actions.ts'

/** What is asked or told about flows in a dialog. */
export type FlowDialog =
  | { readonly kind: 'tags' | 'pause' | 'move'; readonly flows: readonly ListedFlow[] }
  | { readonly kind: 'failures'; readonly failures: Failures }

export type OpenDialog = (dialog: FlowDialog) => void
