import type { Command } from '../commands/command.ts'
import { type Flow, findNode } from '../graph/flow.ts'
import { indexWires } from '../graph/wire-index.ts'
import { drawnInputs } from './drawn-ports.ts'
import type { PageCatalogue } from './page-catalogue.ts'

/**
 * What to do with the wires of a node once its template has been edited, or undefined when all still end at an input.
 * `before` are the inputs that it had when the editing began. One input that is gone and one that is new are the
 * same input under another name: its wire follows. Other wires to inputs that are gone go; undo brings them back.
 */
export function rewireInputs(
  flow: Flow,
  catalogue: PageCatalogue,
  change: { readonly node: string; readonly before: readonly string[] }
): Command | undefined {
  const node = findNode(flow, change.node)
  if (node === undefined) return undefined
  const drawn = drawnInputs(indexWires(flow), catalogue, node)
  const gone = drawn.filter(({ isGone }) => isGone).map(({ name }) => name)
  if (gone.length === 0) return undefined
  const isNew = ({ name, fedBy, isGone }: (typeof drawn)[number]) =>
    !isGone && fedBy === undefined && !change.before.includes(name)
  const added = drawn.filter(isNew).map(({ name }) => name)
  const isRename = gone.length === 1 && added.length === 1
  return {
    kind: 'rewire',
    node: node.id,
    renamed: isRename ? Object.fromEntries([[gone[0]!, added[0]!]]) : {},
    gone: isRename ? [] : gone
  }
}
