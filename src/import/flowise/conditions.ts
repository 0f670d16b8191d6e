import type { Part } from '../become.ts'
import { OWN_ID } from '../references.ts'
import { membersOf, textOf } from '../values.ts'
import { rowsOf } from './flowise-node.ts'
import { modelFields } from './models.ts'
import { type Mapping, made, type Step } from './step.ts'
import type { Writer } from './writer.ts'

const OPERATORS: Readonly<Record<string, string>> = {
  equal: 'equals',
  notEqual: 'does not equal',
  contains: 'contains',
  notContains: 'does not contain',
  startsWith: 'starts with',
  endsWith: 'ends with',
  regex: 'matches',
  isEmpty: 'is empty',
  notEmpty: 'is not empty',
  smaller: 'is less than',
  smallerEqual: 'is at most',
  larger: 'is greater than',
  largerEqual: 'is at least'
}

/** One If-Else behind the other: each has its output, and the last one the rest. */
export const condition: Mapping = (node, write) => {
  const rows = rowsOf(node.inputs.conditions).slice(0, 20)
  if (rows.some(({ type }) => type === 'number')) write.tell('What is no number counted as 0 there.')
  return conditionOf(
    rows.map((row) => ({
      left: write.template(row.value1),
      operator: OPERATORS[textOf(row.operation)] ?? 'equals',
      right: write.template(row.value2)
    })),
    write
  )
}

interface Asked {
  readonly left: string
  readonly operator: string
  readonly right: string
}

export function conditionOf(rows: readonly Asked[], write: Writer): Step {
  const parts: Record<string, Part> = {}
  const links: [string, string][] = []
  const all = rows.length === 0 ? [{ left: '', operator: 'is empty', right: '' }] : rows
  for (const [at, { left, operator, right }] of all.entries()) {
    const name = at === 0 ? 'main' : `else${at}`
    const isAlone = /empty/.test(operator)
    parts[name] = {
      type: 'if-else',
      fields: { left: left || '{$none?}', operator, right: isAlone ? '' : right }
    }
    if (at > 0) links.push([`${at === 1 ? 'main' : `else${at - 1}`}.false`, `${name}.data`])
  }
  const nameOf = (at: number) => (at === 0 ? 'main' : `else${at}`)
  const gives = (output: string) => {
    const at = Number(output)
    return at < all.length ? `${nameOf(at)}.true` : `${nameOf(all.length - 1)}.false`
  }
  return { become: made(parts, write, { gives, links }) }
}

export const conditionAgent: Mapping = (node, write) => {
  const { inputs } = node
  const scenarios = rowsOf(inputs.conditionAgentScenarios).map(({ scenario }) => textOf(scenario) || 'Other')
  const model = modelFields(textOf(inputs.conditionAgentModel), membersOf(inputs.conditionAgentModelConfig))
  const system = write.template(inputs.conditionAgentInstructions)
  return decided(
    { scenarios, system, prompt: write.template(inputs.conditionAgentInput) || write.question, model },
    write
  )
}

interface Decided {
  readonly scenarios: readonly string[]
  readonly system: string
  readonly prompt: string
  readonly model: ReturnType<typeof modelFields>
}

/** A model says which case it is, and a Switch leads on by that. */
export function decided({ scenarios, system, prompt, model }: Decided, write: Writer): Step {
  write.tell('A Language Model says which case it is, and a Switch leads on by that.')
  const cases = scenarios.slice(0, 50).map((_, at) => `${at + 1}`)
  const listed = scenarios.map((text, at) => `${at + 1}: ${text.replaceAll('{', '{{').replaceAll('}', '}}')}`)
  const schema = {
    type: 'object',
    properties: { case: { type: 'string', enum: cases.length === 0 ? ['1'] : cases } },
    required: ['case']
  }
  const told = `${system}\n\nChoose the number of the case that fits best:\n${listed.join('\n')}`.trim()
  const parts: Record<string, Part> = {
    main: { type: 'language-model', fields: { ...model.fields, system: told, prompt, schema } },
    way: {
      type: 'switch',
      fields: { value: `{$nodes.${OWN_ID}.data.case?}`, cases: cases.length === 0 ? ['1'] : cases }
    }
  }
  return {
    become: made(parts, write, {
      gives: (output) => (Number(output) < cases.length ? `way.${Number(output) + 1}` : 'way.default'),
      links: [['main.data', 'way.data']],
      connections: [model.connection]
    })
  }
}
