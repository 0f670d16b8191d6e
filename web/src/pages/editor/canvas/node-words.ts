import { lookOf } from '../../../design/state-badge.tsx'
import type { NodeRun } from '../editor-context.ts'
import type { DrawnNode } from './drawn-nodes.ts'

/** The title that a node shows: its own, else that of its component. */
export function titleOf({ node, component }: Pick<DrawnNode, 'node' | 'component'>): string {
  return node.title ?? component?.title ?? node.type
}

/** A node in words, for those who hear it. */
export function describeNode(drawn: DrawnNode, run: NodeRun | undefined): string {
  const { node, component } = drawn
  const title = titleOf(drawn)
  const kind = component === undefined ? 'unknown component' : component.title
  const state = run === undefined ? [] : [lookOf(run.status).word]
  return [title, ...(kind === title ? [] : [kind]), node.id, ...state].join(', ')
}
