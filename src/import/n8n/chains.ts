import type { Become, Part } from '../become.ts'
import { membersIn, membersOf, textOf } from '../values.ts'
import { type Mapping, type Place, several } from './mapping.ts'
import { asItem, modelFields, promptOf, read, shapeOf } from './model-fields.ts'
import { chosen, type N8nNode } from './n8n-node.ts'
import { isWritten } from './n8n-text.ts'
import type { Writer } from './writer.ts'

export const extractor: Mapping = (node, write, place) => {
  const { params } = node
  const attributes = membersIn(membersOf(params.attributes).attributes)
  const types: Readonly<Record<string, string>> = { number: 'number', boolean: 'boolean', date: 'string' }
  const properties = Object.fromEntries(
    attributes
      .filter(({ name }) => textOf(name) !== '')
      .map(({ name, type, description }) => [
        textOf(name),
        {
          type: types[textOf(type)] ?? 'string',
          ...(textOf(description) && !isWritten(description) && { description: textOf(description) })
        }
      ])
  )
  const required = attributes.filter((each) => each.required === true).map(({ name }) => textOf(name))
  const manual =
    read(params.inputSchema) ??
    (read(params.jsonSchemaExample) === undefined ? undefined : shapeOf(read(params.jsonSchemaExample)))
  const schema =
    attributes.length > 0
      ? { type: 'object', properties, ...(required.length > 0 && { required }) }
      : (manual ?? { type: 'object' })
  const system = write.template(membersOf(params.options).systemPromptTemplate)
  const fields = {
    ...modelFields(node, write, place),
    prompt: write.template(params.text) || '{$data}',
    schema,
    ...(system !== '' && { system })
  }
  return several(
    { main: { type: 'language-model', fields }, item: asItem('output') },
    write,
    { takes: 'data', gives: 'data' },
    [['main.data', 'item.data']]
  )
}

/** A model says which, and a Switch leads on; what goes on is what came in. */
function classified(
  node: N8nNode,
  write: Writer,
  place: Place,
  names: readonly string[],
  told: string
): Become {
  const hasOther = /other/.test(textOf(membersOf(node.params.options).fallback))
  const schema = {
    type: 'object',
    properties: { category: { type: 'string', enum: [...names, ...(hasOther ? ['other'] : [])] } },
    required: ['category']
  }
  const fields = {
    ...modelFields(node, write, place),
    prompt: write.template(node.params.inputText) || '{$data}',
    system: told,
    schema
  }
  const slugs = names.map(
    (name) =>
      name
        .toLowerCase()
        .normalize('NFKD')
        .replace(/[\u0300-\u036f]/g, '')
        .replace(/[^a-z0-9]+/g, '-')
        .slice(0, 70)
        .replace(/^-+|-+$/g, '') || 'case'
  )
  return {
    ...several(
      {
        main: { type: 'language-model', fields },
        way: {
          type: 'switch',
          title: `By ${node.name}`,
          fields: { value: '{$nodes.\u{e003}.data.category?}', cases: names }
        },
        input: { type: 'transform', title: 'What is classified', fields: {}, disabled: true }
      },
      write,
      {},
      [
        ['input.data', 'main.data'],
        ['input.data', 'way.data'],
        ['main.data', 'way.data']
      ]
    ),
    takes: () => 'input.data',
    gives: (output) => `way.${slugs[Number(output)] ?? 'default'}`
  }
}

export const classifier: Mapping = (node, write, place) => {
  const categories = membersIn(membersOf(node.params.categories).categories)
  const names = categories
    .map(({ category }) => textOf(category).replace(/^=/, ''))
    .filter((name) => name.trim() !== '')
  const lines = categories.map(
    ({ category, description }) => `- ${textOf(category)}: ${write.template(description)}`
  )
  return classified(
    node,
    write,
    place,
    names,
    `Choose the category that fits the text best.\n${lines.join('\n')}`
  )
}

export const sentiment: Mapping = (node, write, place) => {
  const names = (textOf(membersOf(node.params.options).categories) || 'Positive, Neutral, Negative')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  return classified(node, write, place, names, `Say which sentiment the text has: ${names.join(', ')}.`)
}

export const summary: Mapping = (node, write, place) => {
  const prompts = membersOf(membersOf(node.params.options).summarizationMethodAndPrompts)
  const own = membersOf(prompts.values).prompt ?? membersOf(prompts.values).combineMapPrompt
  const system =
    own === undefined
      ? 'Write a concise summary of the text.'
      : write.template(textOf(own).replaceAll('"{text}"', '').replaceAll('{text}', ''))
  const fields = { ...modelFields(node, write, place), system, prompt: '{$data}' }
  const item: Part = {
    type: 'transform',
    title: 'As n8n gives it',
    fields: { expression: '{ "output": { "text": $ }, "response": { "text": $ } }' }
  }
  return several(
    { main: { type: 'language-model', fields }, item },
    write,
    { takes: 'data', gives: 'data' },
    [['main.text', 'item.data']],
    'The text is summed up at once, and not in pieces.'
  )
}

/** A question that is answered by what a collection has. */
export const retrieval: Mapping = (node, write, place) => {
  const collection = collectionOf(place.lent('ai_retriever')[0] ?? place.lent('ai_vectorStore')[0], node)
  const query = promptOf(node.params, write)
  const fields = {
    ...modelFields(node, write, place),
    prompt: query,
    system: 'Answer by these texts alone:\n{$nodes.\u{e003}-search.text?}'
  }
  return several(
    {
      main: { type: 'language-model', fields },
      search: { type: 'knowledge-search', fields: { collection, query } },
      item: asItem('response')
    },
    write,
    { takes: 'data', gives: 'data' },
    [
      ['search.text', 'main.text'],
      ['main.text', 'item.data']
    ],
    `Make the collection "${collection}", and write there what was in the store.`
  )
}

export function collectionOf(store: N8nNode | undefined, node: N8nNode): string {
  const { params } = store ?? node
  const named = chosen(
    params.qdrantCollection ??
      params.pineconeIndex ??
      params.tableName ??
      params.memoryKey ??
      params.milvusCollection ??
      params.weaviateCollection ??
      params.mongoCollection ??
      params.indexName
  )
  const plain = isWritten(named)
    ? ''
    : textOf(named)
        .replace(/[^A-Za-z0-9_. -]+/g, ' ')
        .trim()
  return plain || (store ?? node).name.replace(/[^A-Za-z0-9_. -]+/g, ' ').trim() || 'knowledge'
}
