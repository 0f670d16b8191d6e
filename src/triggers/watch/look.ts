import type { JsonValue } from '../../flows/json/exact-json.ts'
import type { EditedTrigger } from '../trigger-nodes.ts'

/** Tells what is there now of what a trigger watches. */
export type Look = (
  trigger: EditedTrigger,
  signal: AbortSignal
) => Promise<readonly { readonly id: string; readonly item: JsonValue }[]>
