import type { Become } from '../become.ts'
import { bounded, textOf } from '../values.ts'
import { collectionOf } from './chains.ts'
import { type Mapping, made, type Place, several } from './mapping.ts'
import type { Writer } from './writer.ts'

function told(collection: string): string {
  return `Make the collection "${collection}"; what lies in the store there is to be written anew.`
}

/** Texts that are found again by meaning lie in a collection. */
export const vectorStore: Mapping = (node, write, place) => {
  const { params } = node
  const collection = collectionOf(undefined, node)
  const mode = textOf(params.mode) || (/insert/i.test(node.type) ? 'insert' : 'load')
  if (mode === 'insert' || mode === 'update') {
    const fields = { collection, ...chunksOf(place) }
    return made(
      { type: 'knowledge-write', fields },
      write,
      { takes: 'data', gives: 'result' },
      told(collection)
    )
  }
  const limit = bounded(params.topK, 1, 100) ?? 4
  const query = write.template(params.prompt)
  return search({ collection, limit, ...(query !== '' && mode === 'load' && { query }) }, write)
}

function search(fields: { collection: string; [name: string]: unknown }, write: Writer): Become {
  const item = {
    type: 'code',
    title: 'As n8n gives it',
    fields: {
      code: 'return data.map(({ text, score, metadata }) => ({ document: { pageContent: text, metadata }, score }))'
    }
  }
  return several(
    { main: { type: 'knowledge-search', fields }, item },
    write,
    { takes: 'data', gives: 'result' },
    [['main.matches', 'item.data']],
    told(fields.collection)
  )
}

/** How long the pieces are is said by the splitter of the loader. */
function chunksOf(place: Place): object {
  const splitters = [...place.lent('ai_textSplitter'), ...place.lent('ai_document')]
  const chunk = splitters
    .map(({ params }) => bounded(params.chunkSize, 1, 100_000))
    .find((size) => size !== undefined)
  const overlap = splitters
    .map(({ params }) => bounded(params.chunkOverlap, 0, 100_000))
    .find((size) => size !== undefined)
  return {
    ...(chunk !== undefined && { chunk }),
    ...(overlap !== undefined && { overlap: Math.min(overlap, (chunk ?? 1000) - 1) })
  }
}
