import { type Become, PASSES_ON } from '../become.ts'
import { OWN_ID } from '../references.ts'
import { textOf } from '../values.ts'
import { type Mapping, made, several } from './mapping.ts'
import type { N8nNode } from './n8n-node.ts'
import type { Writer } from './writer.ts'

/** Of several items that are the same one. */
export const unique: Mapping = (node, write) => {
  const { params } = node
  if (isOfEarlierRuns(node)) return seenBefore(node, write)
  const compared =
    textOf(params.compare) === 'selectedFields'
      ? textOf(params.fieldsToCompare)
          .split(',')
          .map((name) => name.trim())
          .filter((name) => name !== '')
      : []
  return made(
    { type: 'remove-duplicates', fields: compared.length === 0 ? {} : { fields: compared } },
    write,
    { takes: 'data', gives: 'data' }
  )
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
