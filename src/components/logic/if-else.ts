import {
  compileTemplate,
  defineComponent,
  type FieldFault,
  inField,
  inTurns,
  type JsonValue,
  StepError,
  scopeOf,
  type Template,
  TemplateError,
  type TemplateScope,
  type Turns,
  templateFault
} from '../../plugin-api.ts'
import { compareValues, listContains, printedInTurns, type Side } from '../expression/compare-values.ts'
import { ONE_SIDED, OPERATORS, type Operator } from '../expression/compare-words.ts'
import { conditionOf } from '../expression/condition-of.ts'
import { compileExpression, type Expression, expressionFault } from '../expression/expression.ts'
import { ofRun, RUN_NAMES } from '../expression/run-names.ts'
import { compilePattern } from '../schema/pattern.ts'

type Condition =
  | {
      readonly mode: 'Compare'
      readonly left: Template
      readonly operator: Operator
      readonly right: Template
    }
  | { readonly mode: 'Expression'; readonly expression: Expression }

/** Leads what reaches it one way or the other. */
export const ifElse = defineComponent({
  type: 'if-else',
  title: 'If-Else',
  description: 'Leads what reaches it one way where a condition holds, and the other way where it does not.',
  category: 'Logic',
  icon: 'git-branch',
  keywords: [
    'if',
    'branch',
    'condition',
    'conditional',
    'decision',
    'filter',
    'router',
    'gateway',
    'when',
    'boolean'
  ],
  example: '{total} is greater than 100: large orders leave by True, all others by False.',
  effects: 'pure',
  fields: {
    mode: {
      kind: 'choice',
      title: 'Mode',
      help: 'Compare two values, or write a condition as an expression.',
      choices: ['Compare', 'Expression'],
      default: 'Compare'
    },
    left: {
      kind: 'template',
      title: 'Left',
      help: 'The value to compare.',
      placeholder: '{total}'
    },
    operator: { kind: 'choice', title: 'Operator', choices: OPERATORS, default: 'equals' },
    right: {
      kind: 'template',
      title: 'Right',
      help: 'What it is compared with. Operators such as "is empty" need none.',
      placeholder: '100'
    },
    expression: {
      kind: 'text',
      title: 'Expression',
      help: 'A condition in CEL over data, nodes, run and now, for the mode Expression.',
      placeholder: 'data.total > 100 && data.country == "DE"',
      multiline: true,
      condition: true
    }
  },
  mainFields: ['left', 'operator', 'right', 'expression'],
  inputs: { data: { title: 'Data', type: 'any' } },
  outputs: {
    true: { title: 'True', type: 'any', help: 'The data, where the condition holds.' },
    false: { title: 'False', type: 'any', help: 'The data, where it does not.' }
  },
  check: (fields) => (fields.mode === 'Expression' ? expressionFaults(fields) : comparisonFaults(fields)),
  prepare: ({ mode, left, operator, right, expression }): Condition =>
    mode === 'Expression'
      ? { mode, expression: compileExpression(expression, RUN_NAMES) }
      : { mode, left: compileTemplate(left), operator, right: compileTemplate(right) },
  run: ({ inputs, prepared, run, pause }) => {
    const data = inputs.data as JsonValue | undefined
    if (prepared.mode === 'Expression')
      return wayOf(conditionOf(prepared.expression.evaluate(data ?? null, ofRun(run.variables))), inputs.data)
    const holds = compare(prepared, scopeOf(data, run.variables), { pause })
    return typeof holds === 'boolean'
      ? wayOf(holds, inputs.data)
      : holds.then((held) => wayOf(held, inputs.data))
  }
})

function wayOf(holds: boolean, data: unknown) {
  return holds ? { true: data } : { false: data }
}

function expressionFaults({ expression }: { readonly expression: string }): FieldFault[] {
  const fault = expressionFault('expression', expression, RUN_NAMES)
  return fault === undefined ? [] : [fault]
}

function comparisonFaults(fields: Readonly<Record<'left' | 'operator' | 'right', string>>): FieldFault[] {
  const faults = (['left', 'right'] as const).flatMap((field) => {
    const fault = templateFault(fields[field])
    return fault === undefined ? [] : [{ field, ...fault }]
  })
  if (faults.length > 0) return faults
  if (fields.left.trim() === '')
    return [{ field: 'left', message: 'It is empty. Write what to compare, such as {total}.' }]
  return fields.operator === 'matches' ? patternFaults(fields.right) : []
}

/** Known only where the pattern is written out. */
function patternFaults(right: string): FieldFault[] {
  const { variables, contextVariables } = compileTemplate(right)
  if (variables.length + contextVariables.length > 0) return []
  try {
    compilePattern(compileTemplate(right).render({}))
    return []
  } catch (error) {
    if (!(error instanceof StepError)) throw error
    return [{ field: 'right', code: error.code, message: error.message }]
  }
}

function compare(
  { left, operator, right }: Extract<Condition, { mode: 'Compare' }>,
  scope: TemplateScope,
  pacer: Parameters<typeof inTurns>[1]
): boolean | Promise<boolean> {
  const mayBeAbsent = operator === 'is empty' || operator === 'is not empty'
  const one = sideOf('left', left, scope, mayBeAbsent)
  const other = ONE_SIDED.includes(operator) ? undefined : sideOf('right', right, scope, false)
  return inTurns(compareInTurns(one, operator, other), pacer)
}

/** Lists and objects may be megabytes, and most operators ask of their text. */
function* compareInTurns(left: Side, operator: Operator, right: Side): Turns<boolean> {
  const isOfItems = operator === 'contains' || operator === 'does not contain'
  if (Array.isArray(left) && isOfItems)
    return (yield* listContains(left, yield* printedInTurns(right))) === (operator === 'contains')
  if (isOfItems || ONE_SIDED.includes(operator))
    return compareValues(left, operator, yield* printedInTurns(right))
  const text = yield* printedInTurns(left)
  return compareValues(text, operator, left === right ? text : yield* printedInTurns(right))
}

/** What is absent is empty, and that is what some ask. */
function sideOf(field: string, template: Template, scope: TemplateScope, mayBeAbsent: boolean): Side {
  try {
    return template.renderValue(scope.data, scope.variables)
  } catch (error) {
    if (mayBeAbsent && error instanceof TemplateError && error.code === 'template_missing_key')
      return undefined
    return inField(field, () => {
      throw error
    })
  }
}
