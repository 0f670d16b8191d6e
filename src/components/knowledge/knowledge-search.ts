import {
  compileTemplate,
  compileTemplateTree,
  defineComponent,
  type FieldFault,
  type FieldValues,
  inTurns,
  type OfferedTool,
  type Step,
  type TemplateTree,
  toolName
} from '../../plugin-api.ts'
import {
  faultsOfCollection,
  faultsOfObject,
  faultsOfTemplate,
  objectOfField,
  textOfField
} from './texts-of-node.ts'

const MODES = ['Both', 'Meaning', 'Words'] as const

const FIELDS = {
  collection: {
    kind: 'text',
    title: 'Collection',
    placeholder: 'manuals',
    help: 'The name of a collection that the context of this flow sees.'
  },
  query: {
    kind: 'template',
    title: 'Query',
    placeholder: '{question}',
    help: 'What to search for: a question, or words. Empty: the data.'
  },
  limit: {
    kind: 'number',
    title: 'Limit',
    help: 'So many matches at the most.',
    default: 5,
    min: 1,
    max: 100,
    integer: true
  },
  mode: {
    kind: 'choice',
    title: 'Mode',
    choices: MODES,
    default: 'Both',
    help: 'By words, by what they mean, or by both together. A collection without a model is searched by words.'
  },
  filter: {
    kind: 'json',
    title: 'Filter',
    help: 'An object of templates: only texts whose metadata has these values. A list stands for any of its items.',
    placeholder: '{ "language": "{language}" }',
    default: ''
  }
} as const

/** Finds pieces of texts in a collection. */
export const knowledgeSearch = defineComponent({
  type: 'knowledge-search',
  title: 'Knowledge Search',
  description:
    'Finds the pieces of texts in a collection that fit a question, by their words and by what they mean.',
  category: 'Models',
  icon: 'search',
  keywords: [
    'rag',
    'retrieval',
    'retriever',
    'vector store',
    'vector search',
    'semantic search',
    'similarity',
    'embedding',
    'full text',
    'knowledge base',
    'find',
    'chroma',
    'pinecone',
    'qdrant',
    'pgvector'
  ],
  example: 'The five paragraphs of the manual that fit {question}, for the prompt of a Language Model.',
  fields: FIELDS,
  mainFields: ['query'],
  inputs: { data: { title: 'Data', type: 'any' } },
  outputs: {
    matches: {
      title: 'Matches',
      type: 'any',
      help: 'A list with id, text, score and metadata, the best first.'
    },
    text: { title: 'Text', type: 'text', help: 'The texts of the matches, one after the other.' },
    usage: { title: 'Usage', type: 'any', help: 'What the model was asked, where the collection has one.' },
    tools: {
      title: 'Tools',
      type: 'tools',
      help: 'The collection as a tool for an agent, which asks its own questions.'
    }
  },
  reportsUsage: true,
  retry: { attempts: 3, backoffMs: 500, maxBackoffMs: 10_000 },
  check: faultsOf,
  prepare: ({ query, filter }) => ({
    query: compileTemplate(query),
    filter: compileTemplateTree(filter === '' ? {} : filter)
  }),
  run: async (step) => search(step, await inTurns(textOfField(step, 'query', step.prepared.query), step)),
  acts: () => false,
  tools: {
    offer: ({ fields }) => [
      {
        name: toolName(`search_${fields.collection.trim()}`),
        description: `Searches the collection "${fields.collection.trim()}" and gives the pieces of its texts that fit best.`,
        parameters: PARAMETERS
      }
    ],
    call: async (step, { arguments: given }) => {
      const { matches, usage } = await search(step, String(given.query ?? ''))
      return { matches, usage }
    }
  }
})

const PARAMETERS: OfferedTool['parameters'] = {
  type: 'object',
  properties: { query: { type: 'string', description: 'What to search for: a question, or words.' } },
  required: ['query'],
  additionalProperties: false
}

type SearchStep = Pick<Step, 'knowledge' | 'pause' | 'run'> & {
  readonly inputs: { readonly data?: unknown }
  readonly fields: FieldValues<typeof FIELDS>
  readonly prepared: { readonly filter: TemplateTree }
}

async function search(step: SearchStep, query: string) {
  const { fields, prepared, knowledge } = step
  const filter = await inTurns(objectOfField(step, 'filter', prepared.filter), step)
  const { limit, mode } = fields
  const { matches, usage } = await knowledge.search(fields.collection.trim(), { query, limit, mode, filter })
  return { matches, text: matches.map((match) => match.text).join('\n\n'), usage }
}

function faultsOf({ collection, query, filter }: FieldValues<typeof FIELDS>): FieldFault[] {
  return [
    ...faultsOfCollection(collection),
    ...faultsOfTemplate('query', query),
    ...faultsOfObject('filter', filter)
  ]
}
