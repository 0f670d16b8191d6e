import type { Pin } from '../../../api/pins.ts'
import type { EditorState } from '../editor-context.ts'

/** What the next test takes from a node. A run that was chosen is looked at as it was. */
export function pinnedIn(
  { pins, chosenRun }: Pick<EditorState, 'pins' | 'chosenRun'>,
  node: string | undefined
): Pin | undefined {
  return chosenRun === undefined && node !== undefined ? pins.get(node) : undefined
}
