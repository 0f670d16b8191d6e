import { type Become, type Part, single } from '../become.ts'
import { ofProvider } from '../connection-names.ts'
import { literalText } from '../expressions/template-text.ts'
import { OWN_ID } from '../references.ts'
import { bounded, listOf, membersIn, membersOf, textOf } from '../values.ts'
import { type SourceOf, wiredTemplate } from './basic.ts'
import { modelFields, modelOf } from './chosen-model.ts'
import { type LangflowNode, textIn, valueIn } from './langflow-node.ts'

type ModelMapping = (node: LangflowNode, sourceOf: SourceOf) => Become

const PORTS = { takes: 'text', gives: 'text' }

/** What a person has to look at. */
function toldOfModel(
  node: LangflowNode,
  more = ''
): { readonly verdict: 'exact' | 'adapted'; readonly note: string } {
  const unnamed =
    modelOf(node).model === '' ? 'The file names no model: choose one, where this is not the one.' : ''
  const json =
    valueIn(node.model ?? node, 'json_mode') === true
      ? 'It was told to answer in JSON: say by a schema in which, and take its data.'
      : ''
  const own = ofProvider(modelOf(node).provider)
  const note = [unnamed, json, own, more].filter((told) => told !== '').join(' ')
  return { verdict: note === '' ? 'exact' : 'adapted', note }
}

function languageModel(node: LangflowNode, sourceOf: SourceOf): Become {
  const { connection, fields } = modelFields(node)
  const system = wiredTemplate(node, 'system_message', sourceOf)
  const prompt = node.wired.has('input_value') ? '' : wiredTemplate(node, 'input_value', sourceOf)
  const part: Part = {
    type: 'language-model',
    fields: { ...fields, ...(system && { system }), ...(prompt && { prompt }) }
  }
  return {
    ...single(part, PORTS, toldOfModel(node)),
    takes: (input) => (input === 'input_value' ? 'main.text' : 'main.data'),
    connections: [connection]
  }
}

/** A tool that Langflow gives its agents by itself tells the date; here the model is told at once. */
const DATE = 'The current date and time in UTC: {$now:yyyy-MM-dd HH:mm:ss}'

function agent(node: LangflowNode, sourceOf: SourceOf): Become {
  const { connection, fields } = modelFields(node)
  const told = wiredTemplate(
    node,
    node.wired.has('agent_description') ? 'agent_description' : systemField(node),
    sourceOf
  )
  const isDated = valueIn(node, 'add_current_date_tool') === true
  const system = isDated ? `${told}${told === '' ? '' : '\n\n'}${DATE}` : told
  const schema = schemaOf(valueIn(node, 'output_schema'))
  const history = bounded(valueIn(node, 'n_messages'), 0, 200)
  const steps = bounded(valueIn(node, 'max_iterations'), 1, 100)
  const prompt = node.wired.has('input_value')
    ? around(textIn(node, 'user_prompt'))
    : wiredTemplate(node, 'input_value', sourceOf)
  const structured = node.outputs.includes('structured_response')
  return {
    ...toldOfModel(node, isDated ? 'The tool that told it the date is a line of its system text.' : ''),
    parts: {
      main: {
        type: 'agent',
        fields: {
          ...fields,
          ...(system && { system }),
          ...(prompt && { prompt }),
          ...(structured && schema !== undefined && { schema }),
          ...(history !== undefined && { history }),
          ...(steps !== undefined && { max_steps: steps })
        }
      }
    },
    takes: (input) => `main.${input === 'tools' ? 'tools' : input === 'input_value' ? 'text' : 'data'}`,
    gives: (output) => (output === 'structured_response' ? 'main.data' : 'main.text'),
    connections: [connection]
  }
}

/** What an older agent puts around the text that it is asked. */
function around(prompt: string): string {
  const parts = prompt.split('{input}').map(literalText)
  return parts.length < 2 || prompt.trim() === '{input}' ? '' : parts.join('{text}')
}

function systemField({ template }: LangflowNode): string {
  return (
    ['system_prompt', 'system_message', 'agent_description'].find((name) => Object.hasOwn(template, name)) ??
    'system_prompt'
  )
}

/** A table of the fields that are asked for, as JSON Schema. */
function schemaOf(value: unknown): unknown {
  const rows = membersIn(listOf(value)).filter(({ name }) => textOf(name) !== '')
  if (rows.length === 0) return undefined
  const properties = Object.fromEntries(
    rows.map(({ name, type, description, multiple }) => {
      const plain = {
        type: typeIn(textOf(type)),
        ...(textOf(description) && { description: textOf(description) })
      }
      const isList =
        multiple === true || /^(?:true|yes)$/i.test(textOf(multiple)) || /^list/.test(textOf(type))
      return [textOf(name), isList ? { type: 'array', items: plain } : plain]
    })
  )
  return { type: 'object', properties, required: Object.keys(properties) }
}

function typeIn(type: string): string {
  if (/int/.test(type)) return 'integer'
  if (/float|number/.test(type)) return 'number'
  if (/bool/.test(type)) return 'boolean'
  return /dict|object/.test(type) ? 'object' : 'string'
}

function structured(node: LangflowNode, sourceOf: SourceOf): Become {
  const { connection, fields } = modelFields(node)
  const system = wiredTemplate(node, 'system_prompt', sourceOf)
  const properties = schemaOf(valueIn(node, 'output_schema'))
  const schema = properties ?? { type: 'object' }
  return {
    verdict: 'adapted',
    note: 'The answer is one object by the schema. Where Langflow gives a list of objects, make the schema one of a list.',
    parts: { main: { type: 'language-model', fields: { ...fields, schema, ...(system && { system }) } } },
    takes: (input) => (input === 'input_value' ? 'main.text' : 'main.data'),
    gives: () => 'main.data',
    connections: [connection]
  }
}

/** A question is asked of each row. */
function batchRun(node: LangflowNode, sourceOf: SourceOf): Become {
  const { connection, fields } = modelFields(node)
  const system = wiredTemplate(node, 'system_message', sourceOf)
  const column = textIn(node, 'column_name')
  const prompt = column === '' ? '{$data}' : `{[${column.replaceAll(']', '')}]?}`
  const output = textIn(node, 'output_column_name') || 'model_response'
  return {
    verdict: 'adapted',
    note: 'Each row is asked in a run of its own, in a For each; the answers are a list of texts.',
    parts: {
      main: { type: 'for-each', fields: { concurrency: 5 } },
      model: {
        type: 'language-model',
        isInside: true,
        fields: { ...fields, prompt, ...(system && { system }) }
      },
      row: {
        type: 'code',
        isInside: true,
        title: `With ${output}`,
        fields: { code: `return { ...nodes["${OWN_ID}"].item, ${JSON.stringify(output)}: data }` }
      }
    },
    links: [
      ['main.item', 'model.data'],
      ['model.text', 'row.data'],
      ['row.result', 'main.result']
    ],
    takes: () => 'main.items',
    gives: () => 'main.results',
    connections: [connection]
  }
}

/** The turns of a session are given to a model by its History; here they are a text that is empty. */
function memory(node: LangflowNode): Become {
  const turns = bounded(valueIn(node, 'n_messages'), 0, 200) ?? 100
  const isStore = /store/i.test(textIn(node, 'mode'))
  const note = isStore
    ? 'What Chat Input and Chat Output print is kept by itself: nothing has to store it.'
    : `The turns are given to a Language Model or an Agent by its field History: set it to ${turns}. This text stays empty.`
  const part: Part = { type: 'prompt', fields: { template: isStore ? '{message?}' : literalText('') } }
  return {
    ...single(part, { gives: 'prompt' }, { note }),
    takes: () => (isStore ? 'main.message' : undefined)
  }
}

/** Questions that a model decides or guards. */
function router(node: LangflowNode, sourceOf: SourceOf): Become {
  const { connection, fields } = modelFields(node)
  const routes = membersIn(listOf(valueIn(node, 'routes')))
  const names = routes
    .map(({ route_category, name }) => textOf(route_category) || textOf(name))
    .filter((name) => name !== '')
  const told = routes.map(
    (route) =>
      `- ${textOf(route.route_category) || textOf(route.name)}: ${textOf(route.route_description) || textOf(route.description)}`
  )
  const custom = wiredTemplate(node, 'custom_prompt', sourceOf)
  const system = `Choose the category that fits best. Answer "else" where none does.\n${literalText(told.join('\n'))}${custom === '' ? '' : `\n${custom}`}`
  const schema = {
    type: 'object',
    properties: { category: { type: 'string', enum: [...names, 'else'] } },
    required: ['category']
  }
  return {
    verdict: 'adapted',
    note: 'A Language Model says which category fits, and a Switch leads on by that. What goes on is the text that came in.',
    parts: {
      main: { type: 'language-model', fields: { ...fields, schema, system } },
      way: { type: 'switch', fields: { value: `{$nodes.${OWN_ID}.data.category?else}`, cases: names } }
    },
    links: [['main.data', 'way.data']],
    takes: (input) => (input === 'input_text' || input === 'input_value' ? 'main.text' : 'main.data'),
    gives: (output) => {
      const at = Number(/category_(\d+)/.exec(output)?.[1] ?? 0)
      const name = names[at - 1]
      return `way.${
        name === undefined
          ? 'default'
          : name
              .toLowerCase()
              .replace(/[^a-z0-9]+/g, '-')
              .replace(/^-|-$/g, '') || 'default'
      }`
    },
    connections: [connection]
  }
}

/** A smart transform makes a model write code; here the model does the work itself. */
function smartTransform(node: LangflowNode, sourceOf: SourceOf): Become {
  const { connection, fields } = modelFields(node)
  const system =
    wiredTemplate(node, 'filter_instruction', sourceOf) || wiredTemplate(node, 'instructions', sourceOf)
  return {
    ...single(
      { type: 'language-model', fields: { ...fields, system, prompt: '{$data}' } },
      { takes: 'data', gives: 'text' },
      {
        note: 'The model changes the data itself, by the instruction; it writes no function for it.'
      }
    ),
    connections: [connection]
  }
}

export const MODELS: Readonly<Record<string, ModelMapping>> = {
  LanguageModelComponent: languageModel,
  LLMRouterComponent: languageModel,
  LLMSelectorComponent: languageModel,
  Agent: agent,
  AgentComponent: agent,
  ToolCallingAgent: agent,
  OpenAIToolsAgent: agent,
  XMLAgent: agent,
  CugaAgent: agent,
  OpenDsStarAgent: agent,
  StructuredOutput: structured,
  StructuredOutputComponent: structured,
  BatchRunComponent: batchRun,
  Memory: memory,
  MemoryComponent: memory,
  MessageHistory: memory,
  StoreMessage: memory,
  MessageStore: memory,
  SmartRouter: router,
  SmartTransform: smartTransform,
  'Smart Transform': smartTransform,
  LambdaFilterComponent: smartTransform,
  SmartFunction: smartTransform
}

/** Any other component of a provider. */
export function modelOfProvider(node: LangflowNode): ModelMapping | undefined {
  const isModel = /Model(?:Component)?$/.test(node.type) && Object.hasOwn(node.template, 'input_value')
  return isModel && membersOf(node.template.input_value) !== undefined ? languageModel : undefined
}
