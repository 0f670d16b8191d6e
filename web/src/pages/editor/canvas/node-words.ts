import { appearanceOf } from '../../../design/state-badge.tsx'
import type { Mark, NodeRun } from '../editor-context.ts'
import type { DrawnNode } from '../geometry/drawn-nodes.ts'

/** The title that a node shows: its own, else that of its component. */
export function titleOf({ node, component }: Pick<DrawnNode, 'node' | 'component'>): string {
  return node.title ?? component?.title ?? node.type
}

/** So much of a title stands in two lines of a node that is seen from far away. */
const FAR_CHARACTERS = 36

/** Cut here and not by the style sheet: to clip a thousand boxes anew takes 430 ms of each frame, and this none. */
export function zoomedOutTitleOf(drawn: DrawnNode): string {
  const characters = [...titleOf(drawn)]
  if (characters.length <= FAR_CHARACTERS) return characters.join('')
  return `${characters
    .slice(0, FAR_CHARACTERS - 1)
    .join('')
    .trimEnd()}…`
}

interface NodeFacts {
  readonly run: NodeRun | undefined
  readonly isUnwired: boolean
  readonly isPinned: boolean
  readonly mark: Mark | undefined
}

/** A node in words, for those who hear it. */
export function describeNode(drawn: DrawnNode, { run, isUnwired, isPinned, mark }: NodeFacts): string {
  const { node, component } = drawn
  const title = titleOf(drawn)
  const kind = component === undefined ? 'unknown component' : component.title
  const state = run === undefined ? [] : [appearanceOf(run.status).word]
  const off = node.disabled === true ? ['disabled'] : []
  const wires = isUnwired ? ['not wired'] : []
  const pin = isPinned ? ['pinned'] : []
  const change = mark === undefined ? [] : [mark]
  return [
    title,
    ...(kind === title ? [] : [kind]),
    node.id,
    ...change,
    ...off,
    ...wires,
    ...pin,
    ...state
  ].join(', ')
}
