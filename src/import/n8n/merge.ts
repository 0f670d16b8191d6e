import { type Become, PASSES_ON } from '../become.ts'
import { bounded, membersIn, membersOf, textOf } from '../values.ts'
import { type Mapping, made, several } from './mapping.ts'

export const merge: Mapping = (node, write, place) => {
  const { params } = node
  const mode = textOf(params.mode) || 'append'
  const by = textOf(params.combineBy) || textOf(params.combinationMode)
  if (place.isEither && (mode === 'append' || mode === 'chooseBranch' || mode === 'passThrough'))
    return made(
      PASSES_ON,
      write,
      { takes: 'data', gives: 'data' },
      'It hands on what comes by the branch that ran.'
    )
  if (mode === 'chooseBranch' || mode === 'passThrough' || mode === 'wait')
    return chooseBranch(node.params, write)
  const inputs = Math.max(
    2,
    Math.min(10, bounded(params.numberInputs, 2, 10) ?? 2, 10),
    ...place.inputs.map((input) => input + 1)
  )
  const list = { type: 'merge', fields: { mode: 'List', inputs: Math.min(10, inputs) } }
  const takes = (input: string) => `main.in_${Math.min(9, Number(input)) + 1}`
  const join = joinKeys(params, mode, by)
  if (join !== undefined) {
    const part = { type: 'join', fields: { keys: join, mode: joinMode(params) } }
    return {
      ...made(part, write, { gives: 'data' }),
      takes: (input) => (input === '1' ? 'main.right' : 'main.left')
    }
  }
  if (mode === 'combineBySql') write.tell('It joined by SQL: write what that did as code.')
  const isAll = /all|multiplex/i.test(`${by} ${mode}`)
  const isPosition = /position|mergeByIndex/i.test(`${by} ${mode}`) || (mode === 'combine' && !isAll)
  if (!place.isMany && isPosition)
    return {
      ...made({ type: 'merge', fields: { inputs: Math.min(10, inputs) } }, write, { gives: 'data' }),
      takes
    }
  const body = isAll
    ? 'return data.map($list).reduce((all, items) => all.flatMap((one) => items.map((other) => ({ ...one, ...other }))))'
    : isPosition
      ? 'const lists = data.map($list)\nreturn $list(lists[0]).map((_, at) => Object.assign({}, ...lists.map((items) => items[at])))'
      : 'return data.flatMap($list)'
  const code = { type: 'code', title: 'All items', fields: { code: write.code(body) } }
  return {
    ...several({ main: list, items: code }, write, { gives: 'result' }, [['main.data', 'items.data']]),
    takes
  }
}

/** It waits for all, and hands on what one brings. */
function chooseBranch(params: Readonly<Record<string, unknown>>, write: Parameters<Mapping>[1]): Become {
  const output = textOf(params.output)
  const which = (bounded(params.useDataOfInput, 1, 10) ?? (output === 'input2' ? 2 : 1)) - 1
  const code = write.code(`return data[${which}] ?? data[0]`)
  return {
    ...several(
      {
        main: { type: 'merge', fields: { mode: 'List', inputs: 2 } },
        chosen: { type: 'code', fields: { code } }
      },
      write,
      { gives: 'result' },
      [['main.data', 'chosen.data']]
    ),
    takes: (input) => `main.in_${Math.min(1, Number(input)) + 1}`
  }
}

function joinKeys(
  params: Readonly<Record<string, unknown>>,
  mode: string,
  by: string
): { left: string; right: string }[] | undefined {
  const isByKey =
    /fields|key/i.test(`${by} ${mode}`) ||
    (mode === 'combine' && by === '' && params.fieldsToMatchString !== undefined)
  if (!isByKey) return undefined
  const pairs = membersIn(membersOf(params.mergeByFields ?? params.fieldsToMatch).values).map(
    ({ field1, field2 }) => ({
      left: textOf(field1),
      right: textOf(field2) || textOf(field1)
    })
  )
  const same = textOf(params.fieldsToMatchString)
    .split(',')
    .map((key) => key.trim())
    .filter((key) => key !== '')
    .map((key) => ({ left: key, right: key }))
  const old =
    textOf(params.propertyName1) === ''
      ? []
      : [{ left: textOf(params.propertyName1), right: textOf(params.propertyName2) }]
  const keys = [...pairs, ...same, ...old].filter(({ left, right }) => left !== '' && right !== '')
  return keys.length === 0 ? undefined : keys
}

function joinMode(params: Readonly<Record<string, unknown>>): string {
  const modes: Readonly<Record<string, string>> = {
    keepEverything: 'Outer',
    enrichInput1: 'Left',
    enrichInput2: 'Right',
    keepNonMatches: 'Left only'
  }
  return modes[textOf(params.joinMode)] ?? 'Inner'
}
