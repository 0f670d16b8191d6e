import { type Become, PASSES_ON } from '../become.ts'
import { OWN_ID } from '../references.ts'
import { membersOf, textOf } from '../values.ts'
import { type Mapping, made, several } from './mapping.ts'
import type { N8nNode } from './n8n-node.ts'
import { byPaths, fieldNames, GET, PUT, WITHOUT } from './paths.ts'
import type { Writer } from './writer.ts'

/** Of several items that are the same one. */
export const unique: Mapping = (node, write) => {
  const { params } = node
  if (isOfEarlierRuns(node)) return seenBefore(node, write)
  const compare = textOf(params.compare)
  const fields = compare === 'selectedFields' ? fieldNames(params.fieldsToCompare) : []
  if (compare === 'allFieldsExcept' || membersOf(params.options).removeOtherFields === true)
    return asCode(node, write, fields)
  return made({ type: 'remove-duplicates', fields: fields.length === 0 ? {} : { fields } }, write, {
    takes: 'data',
    gives: 'data'
  })
}

/** Items are compared by some of their fields, or by all but some; what is not compared may go. */
function asCode({ params }: N8nNode, write: Writer, fields: readonly string[]): Become {
  const options = membersOf(params.options)
  const others = params.compare === 'allFieldsExcept' ? fieldNames(params.fieldsToExclude) : []
  const chosen =
    fields.length > 0
      ? `${JSON.stringify(fields)}.reduce((item, name) => $put(item, name, $get(json, name)), {})`
      : `$without(json, ${JSON.stringify(others)})`
  const code = `${byPaths(options, GET, PUT, WITHOUT)}
const $sorted = (value) => (Array.isArray(value) ? value.map($sorted) : typeof value === 'object' && value !== null ? Object.fromEntries(Object.keys(value).sort().map((name) => [name, $sorted(value[name])])) : value)
const $chosen = (json) => ${chosen}
const $first = new Map()
for (const json of $list(data)) {
  const key = JSON.stringify($sorted($chosen(json)))
  if (!$first.has(key)) $first.set(key, json)
}
return [...$first.values()]${options.removeOtherFields === true ? '.map($chosen)' : ''}`
  return made({ type: 'code', fields: { code: write.code(code) } }, write, {
    takes: 'data',
    gives: 'result'
  })
}

/** Whether it compares with the items of earlier runs, one after the other. */
export function isOfEarlierRuns({ params }: N8nNode): boolean {
  return /previous|clear/i.test(textOf(params.operation))
}

function seenBefore({ params }: N8nNode, write: Writer): Become {
  const key = write.template(params.dedupeValue) || '{id?}'
  const code = `return data === 1 ? nodes["${OWN_ID}-item"].data : undefined`
  return several(
    {
      main: { type: 'keep', fields: { operation: 'Increment', key: `seen-${OWN_ID}-${key}` } },
      item: { ...PASSES_ON, title: 'The item' },
      isNew: { type: 'code', title: 'If it is new', fields: { code } }
    },
    write,
    { takes: 'item.data', gives: 'isNew.result' },
    [
      ['item.data', 'main.data'],
      ['main.data', 'isNew.data']
    ],
    'What was there in earlier runs is kept by Keep: the count of each item tells whether it is new.'
  )
}
