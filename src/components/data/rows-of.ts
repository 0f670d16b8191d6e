import {
  compilePath,
  type FieldFault,
  isPlainObject,
  type JsonValue,
  pathFault,
  StepError,
  type ValuePath
} from '../../plugin-api.ts'
import { describe } from './describe.ts'
import { missingKey } from './missing-key.ts'

/** Where the list is: a field that all components have which work on one. */
export const LIST_FIELD = {
  path: {
    kind: 'text',
    title: 'List',
    help: 'Where the list is in the data, such as order.lines. Empty: the data itself.',
    placeholder: 'order.lines',
    path: true
  }
} as const

export function listFaults({ path }: { readonly path: string }): FieldFault[] {
  const message = path.trim() === '' ? undefined : pathFault(path)
  return message === undefined ? [] : [{ field: 'path', message }]
}

export function compileList(path: string): ValuePath | undefined {
  return path.trim() === '' ? undefined : compilePath(path)
}

/** The items of a list; one object is a list of one, and `{rows}` the list of its rows. */
export function rowsOf(data: JsonValue | undefined, path?: ValuePath, input = 'data'): readonly JsonValue[] {
  const value = path === undefined ? rowsIn(data) : path.read(data)
  if (Array.isArray(value)) return value
  if (isPlainObject(value)) return [value]
  if (path !== undefined && value === undefined && isPlainObject(data)) throw missingKey(path, data)
  const what = path === undefined ? `What came by "${input}"` : `"${path.text}" of the data`
  throw new StepError(`${what} is ${describe(value)}, and a list is needed. ${remedyFor(value)}`, {
    code: 'not_a_list',
    retryable: false
  })
}

function rowsIn(data: JsonValue | undefined): JsonValue | undefined {
  return isPlainObject(data) && Array.isArray(data.rows) ? data.rows : data
}

function remedyFor(value: JsonValue | undefined): string {
  if (typeof value === 'string')
    return 'Convert reads lists out of JSON or CSV, and Split text makes one of text.'
  return 'Wire a list to it, or say in List where it is.'
}
