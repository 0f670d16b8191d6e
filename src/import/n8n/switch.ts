import { slugify } from '../../flows/slug.ts'
import type { Become } from '../become.ts'
import { bounded, membersIn, membersOf, textOf } from '../values.ts'
import { conditionsOf } from './condition.ts'
import { conditionCode } from './condition-code.ts'
import { type Mapping, made } from './mapping.ts'
import { isWritten } from './n8n-text.ts'

/** Rules that compare one value with texts are cases; all others are looked at by code, which says the first that holds. */
export const switchCase: Mapping = (node, write) => {
  const { params } = node
  if (params.mode === 'expression') return byNumber(node, write.template(params.output), write)
  const rules = rulesOf(params)
  // The oldest rules say by a number which way they lead.
  if (rules.some(({ output }) => output !== undefined))
    return byNumber(node, oldest(node, rules, write), write)
  const names = rules.map(({ name }, at) => name || `${at}`)
  const cases = names.map((name, at) => (names.indexOf(name) < at ? `${name} ${at}` : name))
  const other = Number(membersOf(params.options).fallbackOutput ?? params.fallbackOutput ?? Number.NaN)
  const fallback = Number.isInteger(other) ? (cases[other] ?? '') : ''
  const plain = fallback === '' ? plainCases(rules, params, write) : undefined
  const value = plain?.value ?? write.computed(firstOf(rules, cases, fallback, write))
  const texts = plain?.cases ?? cases
  if (membersOf(params.options).allMatchingOutputs === true)
    write.tell('It went every way that fits: here it goes the first.')
  const slugs = slugsOf(texts)
  return {
    ...made({ type: 'switch', fields: { value, cases: texts } }, write, { takes: 'data' }),
    gives: (output) => `main.${slugs[Number(output)] ?? 'default'}`
  }
}

function firstOf(
  rules: readonly Rule[],
  cases: readonly string[],
  fallback: string,
  write: Parameters<Mapping>[1]
): string {
  const asked = rules.map(
    ({ conditions, isAny }, at) =>
      `${conditionCode(conditions, isAny, write)} && ${JSON.stringify(cases[at])}`
  )
  return `[${asked.join(', ')}].find(Boolean) ?? ${JSON.stringify(fallback)}`
}

/** The way is said by its number. */
function byNumber(node: Parameters<Mapping>[0], value: string, write: Parameters<Mapping>[1]): Become {
  const cases = numbers(node.params)
  return {
    ...made({ type: 'switch', fields: { value, cases } }, write, { takes: 'data' }),
    gives: (output) => (Number(output) < cases.length ? `main.${Number(output)}` : 'main.default')
  }
}

function oldest(node: Parameters<Mapping>[0], rules: readonly Rule[], write: Parameters<Mapping>[1]): string {
  const cases = rules.map(({ output = 0 }) => String(output))
  const fallback = Number(node.params.fallbackOutput ?? -1)
  return write.computed(firstOf(rules, cases, fallback >= 0 ? String(fallback) : '', write))
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
  /** Which way it leads, where it says so. */
  readonly output?: number
}

function rulesOf(params: Readonly<Record<string, unknown>>): Rule[] {
  const set = membersOf(params.rules)
  const isBlind = membersOf(params.options).ignoreCase === true
  const rules = membersIn(set.values ?? set.rules)
  return rules.map((rule) => {
    const name = textOf(rule.outputKey)
    if (rule.conditions !== undefined) {
      const { comparisons, isAny } = conditionsOf(rule.conditions, params)
      return {
        name,
        conditions: isBlind ? comparisons.map((each) => ({ ...each, isBlind })) : comparisons,
        isAny
      }
    }
    const type = textOf(params.dataType) || 'number'
    const operation = textOf(rule.operation) || (type === 'number' ? 'smaller' : 'equal')
    const right = rule.value2 ?? (type === 'number' ? 0 : type === 'boolean' ? false : '')
    const output = name === '' ? { output: bounded(rule.output, 0, 49) ?? 0 } : {}
    return { name, conditions: [{ type, left: params.value1, operation, right }], isAny: false, ...output }
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
      only.isBlind !== true &&
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
