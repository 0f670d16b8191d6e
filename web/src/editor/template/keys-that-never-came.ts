import type { Fault } from '../../../../src/errors.ts'
import { type End, parseEnd } from '../../../../src/flows/graph/graph.ts'
import type { JsonValue } from '../../../../src/flows/json/exact-json.ts'
import type { Flow } from '../graph/flow.ts'
import type { PageCatalogue } from '../wiring/page-catalogue.ts'
import { templateGaps } from './template-gaps.ts'

/**
 * What templates read that the last run had not: no fault, as another payload may have it, and often a slip of the hand.
 * `valueAt` is what left an output in that run; undefined where nothing did.
 */
export function keysThatNeverCame(
  flow: Pick<Flow, 'nodes' | 'edges'>,
  catalogue: Pick<PageCatalogue, 'facts'>,
  valueAt: (end: End) => JsonValue | undefined
): Fault[] {
  return flow.nodes.flatMap((node, index): Fault[] => {
    const facts = catalogue.facts(node.type)
    // A template that makes its inputs reads them, and not the keys of one.
    if (node.disabled === true || facts === undefined || facts.inputs_from_template !== null) return []
    const from = flow.edges.find(({ to }) => to === `${node.id}.data`)?.from
    const end = from === undefined ? undefined : parseEnd(from)
    const payload = end === undefined ? undefined : valueAt(end)
    if (payload === undefined) return []
    return Object.entries(facts.fields)
      .filter(([, { kind }]) => kind === 'template')
      .flatMap(([name]) => {
        const text = node.fields[name]
        if (typeof text !== 'string') return []
        return templateGaps(text, payload)
          .filter(({ variable }) => !variable.startsWith('$'))
          .map(({ message }) => ({
            code: 'key_never_came',
            path: `/nodes/${index}/fields/${name}`,
            node: node.id,
            field: name,
            message: `Node "${node.id}", by the last run: ${message}`
          }))
      })
  })
}
