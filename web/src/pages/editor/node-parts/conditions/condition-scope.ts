import { isPlainObject, type JsonValue } from '../../../../../../src/flows/json/exact-json.ts'
import type { Node } from '../../../../editor/graph/flow.ts'

const RUN = ['data', 'nodes', 'run', 'now']
const PER_ITEM = ['data', 'item', 'index', 'nodes', 'run', 'now']
const PER_ROUND = ['data', 'index', 'nodes', 'run', 'now']

/** The names that the condition of a component sees. */
export function rootsOf(type: string): readonly string[] {
  if (type === 'filter') return PER_ITEM
  return type === 'repeat' ? PER_ROUND : RUN
}

/** What `data` is in the condition: of a Filter an item of the list that it finds. */
export function itemOf(node: Node, data: JsonValue | undefined): JsonValue | undefined {
  if (node.type !== 'filter') return data
  const path = String(node.fields.path ?? '')
  const list = path === '' ? rowsIn(data) : path.split('.').reduce(memberOf, data)
  return Array.isArray(list) ? list[0] : undefined
}

function rowsIn(data: JsonValue | undefined): JsonValue | undefined {
  return isPlainObject(data) && Array.isArray(data.rows) ? data.rows : data
}

function memberOf(value: JsonValue | undefined, key: string): JsonValue | undefined {
  return isPlainObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}
