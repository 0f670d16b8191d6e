import { builtInComponents } from '../../../../src/components/built-in.ts'
import { type AnyComponent, defaultOf, type Field } from '../../../../src/flows/component/component.ts'
import { hasDynamicInputs } from '../../../../src/flows/component/component-ports.ts'
import { type ComponentFacts, type InputsAnswers, PageCatalogue } from './page-catalogue.ts'

/** As `GET /api/v1/components` presents a component; the story in `page-catalogue.test.ts` holds it to that. */
export function factsOf(component: AnyComponent): ComponentFacts {
  const fields = Object.entries((component.fields ?? {}) as Record<string, Field>)
  return {
    type: component.type,
    title: component.title,
    description: component.description ?? '',
    category: component.category ?? 'Other',
    icon: component.icon ?? null,
    keywords: component.keywords ?? [],
    example: component.example ?? null,
    trigger: component.trigger ?? null,
    fields: Object.fromEntries(
      fields.map(([name, field]) => [name, { ...field, default: defaultOf(field) } as Field])
    ),
    main_fields: component.mainFields ?? [],
    inputs: component.inputs ?? {},
    outputs: component.outputs ?? {},
    inputs_from_template: component.inputsFromTemplate ?? null,
    inputs_from_count: component.inputsFromCount ?? null,
    outputs_from_list: component.outputsFromList ?? null,
    region: component.region ?? null,
    has_dynamic_inputs: hasDynamicInputs(component)
  }
}

/** The inputs of this one follow from its code: one per part. */
const gather: AnyComponent = {
  type: 'gather',
  title: 'Gather',
  fields: { parts: { kind: 'number', title: 'Parts', default: 2 } },
  inputs: { head: { title: 'Head', type: 'text' } },
  outputs: { rows: { title: 'Rows', type: 'table' } },
  inputsFor: () => ({}),
  run: () => ({})
}

const sift: AnyComponent = {
  type: 'sift',
  title: 'Sift',
  inputs: { any: { title: 'Any', type: 'any' }, table: { title: 'Table', type: 'table' } },
  outputs: { data: { title: 'Data', type: 'data' }, text: { title: 'Text', type: 'text' } },
  run: () => ({})
}

/** Those that tests are about: what is offered must not change with every component that is added. */
const FEW = ['webhook', 'parser', 'prompt', 'chat-input', 'chat-output']

export function testCatalogue(answers: InputsAnswers = new Map()): PageCatalogue {
  const few = builtInComponents.filter(({ type }) => FEW.includes(type))
  return new PageCatalogue([...few, gather, sift].map(factsOf), answers)
}

export function builtInCatalogue(): PageCatalogue {
  return new PageCatalogue(builtInComponents.map(factsOf))
}
