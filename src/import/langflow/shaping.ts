import { type Become, PASSES_ON, type Part, single } from '../become.ts'
import { bounded, listOf, membersIn, textOf } from '../values.ts'
import { type LangflowNode, textIn, valueIn } from './langflow-node.ts'

export function createData(node: LangflowNode): Become {
  const values = membersIn(listOf(valueIn(node, 'fields', 'form_fields', 'data_inputs'))).map((row) => [
    textOf(row.field_name ?? row.key),
    textOf(row.value)
  ])
  const object = Object.fromEntries(values.filter(([name]) => name !== ''))
  return single(
    { type: 'code', fields: { code: `return { ...data, ...${JSON.stringify(object)} }` } },
    { takes: 'data', gives: 'result' },
    {
      note: 'It became code that returns the object.'
    }
  )
}

export function select(node: LangflowNode): Become {
  const keys = listOf(valueIn(node, 'filter_criteria', 'data_keys', 'select_keys_input', 'keys'))
    .map(textOf)
    .filter((key) => key !== '')
  const fields = { mode: 'Keep', fields: keys.map((field) => ({ field })), missing: 'leave out' }
  return single(keys.length === 0 ? PASSES_ON : { type: 'select', fields }, { takes: 'data', gives: 'data' })
}

export function extractKey(node: LangflowNode): Become {
  const key = JSON.stringify(textIn(node, 'key', 'extract_key'))
  return single(
    { type: 'code', fields: { code: `return { [${key}]: data?.[${key}] ?? null }` } },
    { takes: 'data', gives: 'result' }
  )
}

/** Operations on data of one of many kinds: what they do stands in their settings. Undefined for what no step does. */
export function operations(node: LangflowNode): Become | undefined {
  const [chosen] = membersIn(listOf(valueIn(node, 'operations', 'operation')))
  const operation = (textOf(chosen?.name) || textIn(node, 'operations', 'operation')).toLowerCase()
  const count = bounded(valueIn(node, 'num_rows', 'n'), 1, 1_000_000) ?? 5
  const list = (part: Part) => single(part, { takes: 'data', gives: 'data' })
  if (/^select/.test(operation)) return select(node)
  if (operation === 'head') return list({ type: 'limit', fields: { count } })
  if (operation === 'tail') return list({ type: 'limit', fields: { count, from: 'end' } })
  if (operation === 'sort') {
    const direction = valueIn(node, 'ascending') === false ? 'descending' : 'ascending'
    return list({
      type: 'sort',
      fields: { keys: [{ field: textIn(node, 'column_name') || 'text', direction }] }
    })
  }
  if (/drop duplicates/.test(operation))
    return list({
      type: 'remove-duplicates',
      fields: { fields: [textIn(node, 'column_name')].filter(Boolean) }
    })
  if (/remove keys|drop column/.test(operation)) {
    const keys = [...listOf(valueIn(node, 'remove_keys_input')), valueIn(node, 'column_name')]
      .map(textOf)
      .filter((key) => key !== '')
    return list({ type: 'select', fields: { mode: 'Remove', fields: keys.map((field) => ({ field })) } })
  }
  if (/combine|concat|merge/.test(operation))
    return single(
      { type: 'merge', fields: {} },
      { takes: 'in_1', gives: 'data' },
      { note: 'Wire each of its inputs to one of its own.' }
    )
  return undefined
}

export function currentDate(node: LangflowNode): Become {
  const zone = textIn(node, 'timezone') || 'UTC'
  return single(
    { type: 'prompt', fields: { template: 'Current date and time in UTC: {$now:yyyy-MM-dd HH:mm:ss} UTC' } },
    { gives: 'prompt' },
    {
      note:
        zone === 'UTC' ? '' : `The time is in UTC, and was in ${zone}: put a Date behind it for another zone.`
    }
  )
}
