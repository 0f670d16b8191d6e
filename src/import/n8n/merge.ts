import { type Become, PASSES_ON } from '../become.ts'
import { bounded, type Members, membersOf, textOf } from '../values.ts'
import { handedOn } from './emptiness.ts'
import { type Mapping, made, several } from './mapping.ts'
import { mergeByFields } from './merge-by-fields.ts'
import { clashOf, mergedCode } from './merge-clash.ts'
import { listsOf, namedInputs } from './merge-inputs.ts'
import { mergeKind } from './merge-kind.ts'
import type { Writer } from './writer.ts'

const MOST_INPUTS = 10

export const merge: Mapping = (node, write, place) => {
  const { params } = node
  const kind = mergeKind(params)
  if (place.isEither && (kind === 'append' || kind === 'branch'))
    return made(
      PASSES_ON,
      write,
      { takes: 'data', gives: 'data' },
      'It hands on what comes by the branch that ran.'
    )
  switch (kind) {
    case 'branch':
      return chooseBranch(params, write)
    case 'empty':
      return waitForAll(write, place)
    case 'fields': {
      const become = mergeByFields(params, write, place)
      if (become !== undefined) return become
      write.tell('It joined by fields that the file does not name: what comes is put into one list.')
      break
    }
    case 'position':
      if (!place.isMany && Object.keys(membersOf(params.options)).length === 0)
        return {
          ...made(
            { type: 'merge', fields: { inputs: inputsOf(params, place) } },
            write,
            { gives: 'data' },
            ONE_EACH
          ),
          takes
        }
      break
    case 'sql':
      write.tell('It joined by SQL: write what that did as code.')
  }
  const inputs = inputsOf(params, place)
  const named = LISTS[kind]?.(params)
  if (named === undefined) return appended(handedOn('data.flatMap($list)', place.onEmpty), write, inputs)
  const code = `${mergedCode(clashOf(params))}\nconst lists = ${listsOf(inputs)}\n${handedOn(named, place.onEmpty)}`
  return ofInputs(code, write, inputs)
}

/** Each of the first with each of the others. */
const ALL = (lists: string) =>
  `${lists}.reduce((all, items) => all.flatMap((one) => items.map((other) => [...one, other])), [[]])`

const LISTS: Readonly<Record<string, (params: Members) => string>> = {
  all: (params) =>
    clashOf(params).prefers === 1
      ? `${ALL('lists.reverse()')}.map((items) => $merged(items.reverse()))`
      : `${ALL('lists')}.map($merged)`,
  position: (params) =>
    `Array.from({ length: ${longest(params)} }, (_, at) => $merged(lists.map((items) => items[at] ?? {})))`
}

const ONE_EACH =
  'Where nothing comes by one input, what comes by the others goes on; objects in objects take the place of each other.'

/** How many of lists of different lengths. */
function longest({ mode, join, options }: Members): string {
  const isFirst = mode === 'mergeByIndex' && join !== 'inner' && join !== 'outer'
  if (isFirst) return 'lists[0]?.length ?? 0'
  const isAll = membersOf(options).includeUnpaired === true || join === 'outer'
  return `Math.${isAll ? 'max' : 'min'}(...lists.map(({ length }) => length))`
}

function takes(input: string): string {
  return `main.in_${Math.min(MOST_INPUTS - 1, Number(input)) + 1}`
}

function inputsOf({ numberInputs }: Members, { inputs }: Parameters<Mapping>[2]): number {
  const asked = bounded(numberInputs, 2, MOST_INPUTS) ?? 2
  return Math.min(MOST_INPUTS, Math.max(asked, ...inputs.map((input) => input + 1)))
}

function appended(body: string, write: Writer, inputs: number): Become {
  const list = { type: 'merge', fields: { mode: 'List', inputs } }
  const code = { type: 'code', title: 'All items', fields: { code: write.code(body) } }
  return {
    ...several({ main: list, items: code }, write, { gives: 'result' }, [['main.data', 'items.data']]),
    takes
  }
}

/** What is made of the inputs, each of which has its place. */
function ofInputs(body: string, write: Writer, count: number): Become {
  const { parts, links, takes: takesInput } = namedInputs(count)
  const items = { type: 'code', title: 'All items', fields: { code: write.code(body) } }
  return {
    ...several({ ...parts, items }, write, { gives: 'result' }, [...links, ['main.data', 'items.data']]),
    takes: takesInput
  }
}

/** It waits for all, and gives one item that is empty. */
function waitForAll(write: Writer, { inputs }: Parameters<Mapping>[2]): Become {
  const list = { type: 'merge', fields: { mode: 'List', inputs: Math.max(2, ...inputs.map((at) => at + 1)) } }
  const empty = { type: 'code', title: 'An empty item', fields: { code: 'return {}' } }
  return {
    ...several({ main: list, empty }, write, { gives: 'result' }, [['main.data', 'empty.data']]),
    takes
  }
}

/** It waits for all, and hands on what one brings. */
function chooseBranch(params: Readonly<Record<string, unknown>>, write: Writer): Become {
  const output = textOf(params.output)
  const which = bounded(params.useDataOfInput, 1, 10) ?? (output === 'input2' ? 2 : 1)
  return ofInputs(`return data.in_${which}`, write, Math.max(2, which))
}
