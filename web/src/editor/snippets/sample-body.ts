import { parseEnd } from '../../../../src/flows/graph/graph.ts'
import { isFloatType, isIntegerType } from '../../../../src/flows/template/format-spec.ts'
import type { Field } from '../../../../src/flows/template/parse-field.ts'
import type { Step } from '../../../../src/flows/template/read-path.ts'
import { scanTemplate } from '../../../../src/flows/template/scan-template.ts'
import { type Flow, findNode, type Node } from '../graph/flow.ts'
import type { PageCatalogue } from '../wiring/page-catalogue.ts'
import { FIRST_BODY } from './call-snippets.ts'

/** Lists in an example have at most this many items. */
const MAX_ITEMS = 5

type Sample = string | number | Sample[] | { [key: string]: Sample }

/**
 * A body that the templates behind a Webhook can be filled from: the curl line that people copy should make a run that
 * succeeds. Only what is wired straight to the Webhook tells what it expects.
 */
export function sampleBody(flow: Flow, catalogue: PageCatalogue, webhook: string): string {
  const sample: { [key: string]: Sample } = {}
  for (const { from, to } of flow.edges) {
    const [source, target] = [parseEnd(from), parseEnd(to)]
    if (source?.node !== webhook || source.port !== 'data' || target === undefined) continue
    const node = findNode(flow, target.node)
    if (node !== undefined)
      for (const path of expectedPaths(catalogue, node, target.port)) write(sample, path)
  }
  return Object.keys(sample).length === 0 ? FIRST_BODY : JSON.stringify(sample)
}

interface ExpectedPath {
  readonly steps: readonly Step[]
  readonly value: Sample
}

function expectedPaths(catalogue: PageCatalogue, node: Node, port: string): ExpectedPath[] {
  const facts = catalogue.facts(node.type)
  return Object.entries(facts?.fields ?? {}).flatMap(([name, field]) => {
    const isTemplate = (field.kind === 'template' && field.answer !== true) || field.kind === 'json'
    if (!isTemplate && name !== facts?.inputs_from_template) return []
    const templates = textsIn(node.fields[name] ?? field.default ?? '')
    const paths = templates
      .flatMap((template) => [...scanTemplate(template)])
      .flatMap((piece) =>
        piece.kind === 'field' && piece.field.contextName === undefined ? [piece.field] : []
      )
    // Where variables are inputs, the payload stands for the one that it is wired to.
    if (name !== facts?.inputs_from_template) return paths.map((found) => expected(found, found.steps))
    return paths
      .filter(({ steps }) => steps[0]!.key === port && steps.length > 1)
      .map((found) => expected(found, found.steps.slice(1)))
  })
}

/** Fields of JSON are objects of templates, as the headers and the body of an answer. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

function expected({ spec }: Field, steps: readonly Step[]): ExpectedPath {
  const isNumber =
    spec !== undefined && (isIntegerType(spec.type) || isFloatType(spec.type) || spec.grouping !== '')
  return { steps, value: isNumber ? 1 : steps.at(-1)!.key }
}

function write(sample: { [key: string]: Sample }, { steps, value }: ExpectedPath): void {
  const [first, ...others] = steps
  const place = Object.hasOwn(sample, first!.key) ? sample[first!.key] : undefined
  define(sample, first!.key, grown(place, others, value))
}

/** What is there already, with this path in it. A path through a value makes that value an object. */
function grown(present: Sample | undefined, steps: readonly Step[], value: Sample): Sample {
  const [step, ...others] = steps
  if (step === undefined) return present ?? value
  if (step.index >= 0 && step.index < MAX_ITEMS && (present === undefined || Array.isArray(present))) {
    const list = [...(present ?? [])]
    for (let index = 0; index <= step.index; index++) {
      if (index === step.index || list[index] === undefined) list[index] = grown(list[index], others, value)
    }
    return list
  }
  // Positions reach into an object by its keys too, so one thing can be read as a list and as an object.
  const inside = typeof present === 'object' ? Object.fromEntries(Object.entries(present)) : {}
  const place = Object.hasOwn(inside, step.key) ? inside[step.key] : undefined
  return define(inside, step.key, grown(place, others, value))
}

/** A key called `__proto__` is a key like any other. */
function define(target: { [key: string]: Sample }, key: string, value: Sample): { [key: string]: Sample } {
  return Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true })
}
