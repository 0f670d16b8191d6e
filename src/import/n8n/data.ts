import { bounded, membersIn, membersOf, textOf } from '../values.ts'
import { aggregate } from './aggregate.ts'
import { code } from './code.ts'
import { compareDatasets } from './compare-datasets.ts'
import { unique } from './duplicates.ts'
import { type Mapping, made } from './mapping.ts'
import { rename } from './rename.ts'
import { set } from './set.ts'
import { splitOut } from './split-out.ts'
import { summarize } from './summarize.ts'

const PORTS = { takes: 'data', gives: 'result' }

const sort: Mapping = (node, write) => {
  const { params } = node
  const keys = membersIn(membersOf(params.sortFieldsUi).sortField).map(({ fieldName, order }) => ({
    field: textOf(fieldName),
    direction: order === 'descending' ? 'descending' : 'ascending'
  }))
  if (params.type === 'random')
    return made(
      {
        type: 'code',
        fields: { code: write.code('return [...$list(data)].sort(() => Math.random() - 0.5)') }
      },
      write,
      PORTS
    )
  if (params.type === 'code' || keys.length === 0) {
    const code = `return [...items].sort((a, b) => { ${textOf(params.code) || 'return 0'} }).map(({ json }) => json)`
    return made({ type: 'code', fields: { code: write.code(code) } }, write, PORTS)
  }
  return made({ type: 'sort', fields: { keys } }, write, { takes: 'data', gives: 'data' })
}

const limit: Mapping = (node, write, place) => {
  const count = bounded(node.params.maxItems, 0, 1_000_000) ?? 1
  const from = node.params.keep === 'lastItems' ? 'end' : 'start'
  if (!place.isMany)
    return made(
      {
        type: 'code',
        fields: {
          code: write.code(
            `return $list(data)${from === 'end' ? `.slice(-${count})` : `.slice(0, ${count})`}${count === 1 ? '[0]' : ''}`
          )
        }
      },
      write,
      PORTS
    )
  if (count !== 1)
    return made({ type: 'limit', fields: { count, from } }, write, { takes: 'data', gives: 'data' })
  return made(
    { type: 'code', fields: { code: write.code(`return $list(data).at(${from === 'end' ? -1 : 0})`) } },
    write,
    PORTS
  )
}

/** Before there were nodes for each of its operations. */
const itemLists: Mapping = (node, write, place) => {
  switch (textOf(node.params.operation) || 'splitOutItems') {
    case 'aggregateItems':
    case 'concatenateItems':
      return aggregate(node, write, place)
    case 'limit':
      return limit(node, write, place)
    case 'removeDuplicates':
      return unique(node, write, place)
    case 'sort':
      return sort(node, write, place)
    case 'summarize':
      return summarize(node, write, place)
    default:
      return splitOut(node, write, place)
  }
}

export const DATA: Readonly<Record<string, Mapping>> = {
  set,
  splitOut,
  aggregate,
  summarize,
  sort,
  limit,
  removeDuplicates: unique,
  renameKeys: rename,
  itemLists,
  code,
  function: code,
  functionItem: code,
  compareDatasets
}
