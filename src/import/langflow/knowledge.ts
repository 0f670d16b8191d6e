import { type Become, single } from '../become.ts'
import type { ImportHelp } from '../imported-flow.ts'
import { bounded, textOf } from '../values.ts'
import { type SourceOf, wiredTemplate } from './basic.ts'
import { type LangflowNode, textIn, valueIn } from './langflow-node.ts'

const STORES =
  /^(?:AstraDB|AstraVectorStore|Chroma|Pinecone|Qdrant|Weaviate|Milvus|FAISS|pgvector|PGVector|SupabaseVectorStore|MongoDBAtlasVector|Redis|Elasticsearch|OpenSearch|Couchbase|Upstash|Vectara|VectaraRAG|Cassandra|CassandraGraph|ClickHouse|Clickhouse|HCD|HCDVectorStore|AstraDBGraph|LocalDB|GraphRAG|needle|Needle)/

export function isKnowledge({ type }: LangflowNode): boolean {
  return STORES.test(type) || /^Knowledge|^MemoryBase/.test(type)
}

/** What is found again by words and meaning lies in a collection. */
export function knowledge(node: LangflowNode, sourceOf: SourceOf, help: ImportHelp): Become {
  void help
  const named = textIn(
    node,
    'knowledge_base',
    'collection_name',
    'index_name',
    'memory_base',
    'persist_directory',
    'table_name'
  )
  const collection = collectionName(named, node.type)
  const limit = bounded(valueIn(node, 'top_k', 'number_of_results', 'k'), 1, 100) ?? 5
  const told = `Make the collection "${collection}", and write there what lies in ${node.title}: its texts stay where they are.`
  const query = node.wired.has('search_query') ? '{$data}' : wiredTemplate(node, 'search_query', sourceOf)
  const search = { type: 'knowledge-search', fields: { collection, limit, ...(query && { query }) } }
  const isWritten = ['ingest_data', 'input_df', 'input_data', 'add_documents'].some((name) =>
    node.wired.has(name)
  )
  if (isWritten || /Ingest/.test(node.type)) return written(node, { collection, told, search })
  return {
    ...single(search, { takes: 'data' }, { note: told }),
    gives: (output) =>
      node.isTool ? 'main.tools' : /dataframe|data|results/.test(output) ? 'main.matches' : 'main.text'
  }
}

/** Some nodes of Langflow write and search at once. */
function written(
  node: LangflowNode,
  { collection, told, search }: { collection: string; told: string; search: { type: string; fields: object } }
): Become {
  const searches = node.outputs.length > 0 && !/Ingest/.test(node.type)
  const write = { type: 'knowledge-write', fields: { collection } }
  if (!searches) return single(write, { takes: 'data', gives: 'result' }, { note: told })
  return {
    verdict: 'adapted',
    note: told,
    parts: {
      main: write,
      search: { type: search.type, title: `Search ${collection}`, fields: { ...search.fields } }
    },
    takes: (input) => (/search_query|lexical/.test(input) ? 'search.data' : 'main.data'),
    gives: (output) =>
      node.isTool ? 'search.tools' : /dataframe|data|results/.test(output) ? 'search.matches' : 'search.text'
  }
}

function collectionName(named: string, type: string): string {
  const plain = named
    .split('/')
    .at(-1)!
    .replace(/[^A-Za-z0-9_. -]+/g, ' ')
    .trim()
    .slice(0, 80)
  return plain === ''
    ? textOf(type)
        .replace(/[^A-Za-z0-9]+/g, '-')
        .toLowerCase()
    : plain
}
