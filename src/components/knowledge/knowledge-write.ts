import {
  compileTemplate,
  compileTemplateTree,
  defineComponent,
  type FieldFault,
  type FieldValues,
  inTurns
} from '../../plugin-api.ts'
import {
  faultsOfCollection,
  faultsOfObject,
  faultsOfTemplate,
  objectOfField,
  textOfField
} from './texts-of-node.ts'

const FIELDS = {
  collection: {
    kind: 'text',
    title: 'Collection',
    placeholder: 'manuals',
    help: 'The name of a collection that the context of this flow sees.'
  },
  id: {
    kind: 'template',
    title: 'Id',
    placeholder: '{url}',
    help: 'Writing an id again replaces its text. Empty: the same text is kept once.'
  },
  text: {
    kind: 'template',
    title: 'Text',
    help: 'What is found again. Empty: the data.'
  },
  metadata: {
    kind: 'json',
    title: 'Metadata',
    help: 'An object of templates: what comes with every match, and what searches can be filtered by.',
    placeholder: '{ "title": "{title}", "language": "{language?}" }',
    default: ''
  },
  chunk: {
    kind: 'number',
    title: 'Chunk',
    help: 'A long text is cut into pieces of so many characters at the most. They end where a paragraph, a line, a sentence or a word does, if they can.',
    default: 1000,
    min: 50,
    max: 8000,
    integer: true,
    hidden: true
  },
  overlap: {
    kind: 'number',
    title: 'Overlap',
    help: 'Characters that a piece has in common with the one before.',
    default: 100,
    min: 0,
    max: 4000,
    integer: true,
    hidden: true
  }
} as const

/** Puts a text into a collection, in pieces that can be found again. */
export const knowledgeWrite = defineComponent({
  type: 'knowledge-write',
  title: 'Knowledge Write',
  description:
    'Writes a text into a collection, where Knowledge Search finds it by its words and by what it means.',
  category: 'Models',
  icon: 'book',
  keywords: [
    'rag',
    'vector store',
    'vector database',
    'embedding',
    'embeddings',
    'ingest',
    'index',
    'knowledge base',
    'documents',
    'upsert',
    'chroma',
    'pinecone',
    'qdrant',
    'pgvector',
    'memory'
  ],
  example: 'Keeps every page of the manual under its address, cut into paragraphs.',
  fields: FIELDS,
  inputs: { data: { title: 'Data', type: 'any' } },
  outputs: {
    result: { title: 'Result', type: 'any', help: 'The id, and into how many pieces the text was cut.' },
    usage: { title: 'Usage', type: 'any', help: 'What the model was asked, where the collection has one.' }
  },
  reportsUsage: true,
  retry: { attempts: 3, backoffMs: 1_000, maxBackoffMs: 30_000 },
  timeoutMs: 600_000,
  check: faultsOf,
  prepare: ({ id, text, metadata }) => ({
    id: compileTemplate(id),
    text: compileTemplate(text),
    metadata: compileTemplateTree(metadata === '' ? {} : metadata)
  }),
  run: async (step) => {
    const { fields, prepared, knowledge } = step
    const id =
      prepared.id.source.trim() === '' ? '' : await inTurns(textOfField(step, 'id', prepared.id), step)
    const text = await inTurns(textOfField(step, 'text', prepared.text), step)
    const metadata = await inTurns(objectOfField(step, 'metadata', prepared.metadata), step)
    const { chunk, overlap } = fields
    const { usage, ...result } = await knowledge.write(fields.collection.trim(), {
      id: id.trim(),
      text,
      metadata,
      chunk,
      overlap
    })
    return { result, usage }
  }
})

function faultsOf({
  collection,
  id,
  text,
  metadata,
  chunk,
  overlap
}: FieldValues<typeof FIELDS>): FieldFault[] {
  const tooMuch = 'The overlap must be smaller than a piece: otherwise no piece brings anything new.'
  return [
    ...faultsOfCollection(collection),
    ...faultsOfTemplate('id', id),
    ...faultsOfTemplate('text', text),
    ...faultsOfObject('metadata', metadata),
    ...(overlap < chunk ? [] : [{ field: 'overlap', message: tooMuch }])
  ]
}
