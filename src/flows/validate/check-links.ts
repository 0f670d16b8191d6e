import type { Fault } from '../../errors.ts'
import { didYouMean } from '../closest-name.ts'
import type { FlowNode } from '../document/flow-document.ts'
import { isLinkName, LINK_NAMES, LINKED, type LinkName, type PlacedNode } from '../graph/run-links.ts'
import { isPlainObject } from '../json/exact-json.ts'
import { escapePointer } from '../json/json-pointer.ts'
import type { Field } from '../template/parse-field.ts'
import { cutText } from '../template/quote-text.ts'
import { scanTemplate } from '../template/scan-template.ts'
import { placeAt } from '../template/template-place.ts'

/** Enough to find the one that was meant; a document may have ten thousand nodes. */
const MOST_NAMED = 12
const MOST_COMPARED = 500

type Check = (node: FlowNode, path: string) => Fault[]

/** Finds the addresses that a node asks for and that lead nowhere: of each field the first one. */
export function linkCheck(nodes: readonly PlacedNode[]): Check {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const byPlace = Map.groupBy(nodes, ({ type, parent = '' }) => `${parent} ${type}`)
  const targets: Targets = {
    find: (id) => byId.get(id),
    fitting: (type, { parent = '' }) => (byPlace.get(`${parent} ${type}`) ?? []).map(({ id }) => id)
  }
  return (node, path) =>
    Object.entries(node.fields).flatMap(([field, value]) => {
      for (const { source, link } of linksIn(value)) {
        const wrong = wrongLink(link, node, targets)
        if (wrong !== undefined)
          return [faultOf(node, `${path}/fields/${escapePointer(field)}`, { field, source, link, wrong })]
      }
      return []
    })
}

interface Targets {
  readonly find: (id: string) => PlacedNode | undefined
  /** The nodes of this type in the same run. */
  readonly fitting: (type: string, asking: FlowNode) => readonly string[]
}

interface WrittenLink {
  readonly source: string
  readonly link: Field
}

function faultOf(
  { id }: FlowNode,
  path: string,
  { field, source, link, wrong }: WrittenLink & { readonly field: string; readonly wrong: string }
): Fault {
  const { line, column } = placeAt(source, link.offset)
  const message = `Field "${field}" of node "${id}": {${cutText(link.text, 80)}} ${wrong}`
  return { code: 'unknown_wait', path, node: id, field, line, column, message }
}

/** In texts, however deep they stand in the value: deeper than a function could call itself. */
function* linksIn(value: unknown): Generator<WrittenLink> {
  const left = [value]
  while (left.length > 0) {
    const at = left.pop()
    if (typeof at === 'string') yield* linksInText(at)
    else if (Array.isArray(at) || isPlainObject(at)) for (const inner of Object.values(at)) left.push(inner)
  }
}

function* linksInText(source: string): Generator<WrittenLink> {
  if (!LINK_NAMES.some((name) => source.includes(`{$${name}`))) return
  for (const piece of scanTemplate(source)) {
    if (piece.kind === 'field' && isLinkName(piece.field.contextName ?? ''))
      yield { source, link: piece.field }
  }
}

function wrongLink(link: Field, asking: FlowNode, { find, fitting }: Targets): string | undefined {
  const name = link.contextName as LinkName
  const { type, title } = LINKED[name]
  const [, step, ...deeper] = link.steps
  const target = step === undefined || deeper.length > 0 ? undefined : find(step.key)
  if (target?.type === type && target.parent === asking.parent) return undefined
  const known = fitting(type, asking)
  const one = `${/^[AEIOU]/.test(title) ? 'an' : 'a'} ${title}`
  if (step === undefined || deeper.length > 0)
    return `names no node. Write the id of ${one}, such as {$${name}.${known[0] ?? `${type}-1`}}.`
  if (target?.type === type)
    return `leads to ${one} of another run: what stands in a region runs once for each item, in a run of its own. Name one that stands beside this node.`
  const list =
    known.length === 0
      ? `There is no ${title} beside this node: add one.`
      : `Write the id of ${one}: ${known.slice(0, MOST_NAMED).join(', ')}.`
  if (target !== undefined) return `leads to a node that is not ${one}. ${list}`
  return `leads to a node that is not there. ${list}${didYouMean(step.key, known.slice(0, MOST_COMPARED))}`
}
