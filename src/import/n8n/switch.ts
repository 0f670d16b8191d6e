import { slugify } from '../../flows/slug.ts'
import { bounded, membersIn, membersOf, textOf } from '../values.ts'
import { conditionCode, conditionsOf } from './condition.ts'
import { type Mapping, made } from './mapping.ts'
import { isWritten } from './n8n-text.ts'

/** Rules that compare one value with texts are cases; all others are looked at by code, which says the first that holds. */
export const switchCase: Mapping = (node, write) => {
  const rules = rulesOf(node.params)
  const names = rules.map(({ name }, at) => name || `${at}`)
  const cases = names.map((name, at) => (names.indexOf(name) < at ? `${name} ${at}` : name))
  const plain = plainCases(rules, node.params, write)
  const value =
    plain?.value ??
    write.computed(
      `[${rules.map(({ conditions, isAny }, at) => `${conditionCode(conditions, isAny, write)} && ${JSON.stringify(cases[at])}`).join(', ')}].find(Boolean) ?? ''`
    )
  const texts = plain?.cases ?? cases
  const byExpression = textOf(node.params.mode) === 'expression'
  const slugs = slugsOf(texts)
  return {
    ...made(
      {
        type: 'switch',
        fields: {
          value: byExpression ? write.template(node.params.output) : value,
          cases: byExpression ? numbers(node.params) : texts
        }
      },
      write,
      { takes: 'data' }
    ),
    gives: (output) => {
      if (byExpression) return `main.${Number(output)}`
      return `main.${slugs[Number(output)] ?? 'default'}`
    }
  }
}

function numbers(params: Readonly<Record<string, unknown>>): string[] {
  const count = bounded(params.numberOutputs ?? params.outputsAmount, 1, 50) ?? 4
  return Array.from({ length: count }, (_, at) => String(at))
}

/** As ports of a list are named. */
function slugsOf(texts: readonly string[]): string[] {
  const taken = new Set(['data', 'default'])
  return texts.map((text) => {
    const base = slugify(text) || 'case'
    let name = base
    for (let n = 2; taken.has(name); n++) name = `${base}_${n}`
    taken.add(name)
    return name
  })
}

interface Rule {
  readonly name: string
  readonly conditions: ReturnType<typeof conditionsOf>['comparisons']
  readonly isAny: boolean
}

function rulesOf(params: Readonly<Record<string, unknown>>): Rule[] {
  const set = membersOf(params.rules)
  const rules = membersIn(set.values ?? set.rules)
  return rules.map((rule) => {
    const name = textOf(rule.outputKey)
    if (rule.conditions !== undefined) {
      const { comparisons, isAny } = conditionsOf(rule.conditions)
      return { name, conditions: comparisons, isAny }
    }
    const type = textOf(params.dataType) || 'number'
    const operation = textOf(rule.operation) || (type === 'number' ? 'smaller' : 'equal')
    return { name, conditions: [{ type, left: params.value1, operation, right: rule.value2 }], isAny: false }
  })
}

function plainCases(
  rules: readonly Rule[],
  params: Readonly<Record<string, unknown>>,
  write: Parameters<Mapping>[1]
): { value: string; cases: string[] } | undefined {
  const [first] = rules
  const left = first?.conditions[0]?.left
  const arePlain = rules.every(({ conditions }) => {
    const [only] = conditions
    const isEqual = only !== undefined && /^equals?$/.test(only.operation)
    return (
      conditions.length === 1 &&
      isEqual &&
      only.left === left &&
      !isWritten(only.right) &&
      textOf(only.right).trim() !== ''
    )
  })
  const cases = rules.map(({ conditions }) => textOf(conditions[0]?.right))
  if (!arePlain || left === undefined || new Set(cases).size < cases.length || params.mode === 'expression')
    return undefined
  const value = write.template(left)
  return value.trim() === '' ? undefined : { value, cases }
}
