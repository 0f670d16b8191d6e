import { didYouMean } from '../../../../src/flows/closest-name.ts'
import type { Catalogue } from '../../../../src/flows/component/catalogue.ts'
import {
  type AnyComponent,
  type Field,
  type FieldFault,
  type RegionPorts,
  type RunTrigger,
  resolveFields
} from '../../../../src/flows/component/component.ts'
import type { Ports } from '../../../../src/flows/component/ports.ts'
import { type TypedNode, typedNode } from '../../../../src/flows/component/typed-node.ts'
import { atOnce } from '../../../../src/flows/in-turns.ts'
import type { JsonValue } from '../../../../src/flows/json/exact-json.ts'
import { templateFault } from '../../../../src/flows/template/template-fault.ts'
import { checkFields } from '../../../../src/flows/validate/check-fields.ts'
import type { Flow, Node } from '../graph/flow.ts'

/** A component as `GET /api/v1/components` describes it. */
export interface ComponentFacts {
  readonly type: string
  readonly title: string
  readonly description: string
  readonly category: string
  readonly icon: string | null
  /** What people call it elsewhere. */
  readonly keywords: readonly string[]
  readonly example: string | null
  /** Where it was registered: flows there and below see it. */
  readonly context?: string
  readonly trigger: string | null
  /** It stands for an imported node: nobody chooses it. */
  readonly placeholder?: boolean
  readonly fields: Readonly<Record<string, Field>>
  /** Those that matter most. */
  readonly main_fields: readonly string[]
  readonly inputs: Ports
  readonly outputs: Ports
  /** Every variable of the template in this field is an input. */
  readonly inputs_from_template: string | null
  /** So many inputs as this field says. */
  readonly inputs_from_count: string | null
  /** Every text of the list in this field is an output. */
  readonly outputs_from_list: string | null
  /** It holds nodes: the ports of its inside. */
  readonly region: RegionPorts | null
  /** Where no field tells the inputs, `POST /api/v1/components/{type}/inputs` does. */
  readonly has_dynamic_inputs: boolean
}

/** What only the service knows: the inputs that a component's own code derives from these fields. */
export interface InputsQuestion {
  readonly type: string
  /** With the defaults of those that the node says nothing of. */
  readonly fields: Node['fields']
}

/** Answers to such questions, by `questionKey`. */
export type InputsAnswers = ReadonlyMap<string, Ports>

export function questionKey({ type, fields }: InputsQuestion): string {
  return `${type} ${JSON.stringify(Object.entries(fields).sort(([one], [other]) => (one < other ? -1 : 1)))}`
}

/**
 * The components that a flow sees, for the rules of the service itself: they judge wires and documents in the page
 * as they do when the flow is saved.
 */
export class PageCatalogue implements Catalogue {
  readonly components: readonly ComponentFacts[]
  readonly #byType: ReadonlyMap<string, ComponentFacts>
  readonly #definitions: ReadonlyMap<string, AnyComponent>
  readonly #answers: InputsAnswers
  readonly #typed = new WeakMap<Node, TypedNode>()

  constructor(components: readonly ComponentFacts[], answers: InputsAnswers = new Map()) {
    this.components = components
    this.#answers = answers
    this.#byType = new Map(components.map((facts) => [facts.type, facts]))
    this.#definitions = new Map(components.map((facts) => [facts.type, definitionOf(facts, answers)]))
  }

  facts(type: string): ComponentFacts | undefined {
    return this.#byType.get(type)
  }

  /** The catalogue was read for the flow's own context, so the context is not looked at again. */
  find(_context: string, type: string): AnyComponent | undefined {
    return this.#definitions.get(type)
  }

  hasContext(): boolean {
    return true
  }

  explainMissing(context: string, type: string): string {
    const meant = didYouMean(type, this.#byType.keys())
    return `A flow in the context "${context}" sees no such component.${meant} Remove the node or move the flow.`
  }

  /** The title that a node shows: its own, else that of its component. */
  titleOf(node: Node): string {
    return node.title ?? this.facts(node.type)?.title ?? node.type
  }

  /** What has to be asked before the inputs of the node are known. */
  questionOf(node: Node): InputsQuestion | undefined {
    const component = this.#definitions.get(node.type)
    if (component?.inputsFor === undefined) return undefined
    const fields = resolveFields(component, node.fields as Record<string, JsonValue>)
    const question = { type: node.type, fields }
    return this.#answers.has(questionKey(question)) ? undefined : question
  }

  /** The same object as long as the node is the same: a flow of a thousand nodes is judged at every turn of the hand. */
  typed(node: Node): TypedNode {
    const known = this.#typed.get(node)
    if (known !== undefined) return known
    const typed = this.#typedAnew(node)
    this.#typed.set(node, typed)
    return typed
  }

  #typedAnew(node: Node): TypedNode {
    const component = this.#definitions.get(node.type)
    const isKnown =
      component !== undefined &&
      this.questionOf(node) === undefined &&
      atOnce(checkFields(node, component, '')).length === 0
    return typedNode(node, component, isKnown)
  }

  typedNodes(flow: Flow): Map<string, TypedNode> {
    return new Map(flow.nodes.map((node) => [node.id, this.typed(node)]))
  }
}

/** The questions that a flow leaves open, each once. */
export function openQuestions(flow: Flow, catalogue: PageCatalogue): InputsQuestion[] {
  const questions = flow.nodes.flatMap((node) => catalogue.questionOf(node) ?? [])
  return [...new Map(questions.map((question) => [questionKey(question), question])).values()]
}

function definitionOf(facts: ComponentFacts, answers: InputsAnswers): AnyComponent {
  const { type, title, fields, inputs, outputs, trigger, inputs_from_template: template } = facts
  const { inputs_from_count: count, outputs_from_list: list, region } = facts
  const isAsked = facts.has_dynamic_inputs && template === null && count === null
  return {
    type,
    title,
    fields,
    inputs,
    outputs,
    ...(trigger === null ? {} : { trigger: trigger as RunTrigger }),
    ...(template === null ? {} : { inputsFromTemplate: template, check: checkTemplate(template) }),
    ...(count === null ? {} : { inputsFromCount: count }),
    ...(list === null ? {} : { outputsFromList: list }),
    ...(region === null ? {} : { region }),
    ...(isAsked ? { inputsFor: (values) => answers.get(questionKey({ type, fields: values })) ?? {} } : {}),
    run: () => {
      throw new Error(`The page draws ${title}; the service runs it.`)
    }
  }
}

function checkTemplate(field: string): (fields: Readonly<Record<string, unknown>>) => FieldFault[] {
  return (fields) => {
    const fault = templateFault(String(fields[field] ?? ''))
    return fault === undefined ? [] : [{ field, ...fault }]
  }
}
