import type { Part } from '../become.ts'
import { bounded, textOf } from '../values.ts'
import { historyOf, modelOf, promptOf, schemaOf, storeName, toolsOf } from './lent.ts'
import { customFunction, seqCondition, seqConditionAgent, seqEnd, seqStart } from './sequential.ts'
import { type Mapping, made, TEXT_OR_DATA } from './step.ts'
import { workerName, workerOf } from './workers.ts'
import { valuesOf, type Writer } from './writer.ts'

/** Chatflows, and agentflows of version 1: models, prompts, memory, stores and tools are lent to chains and agents. */

const chain: Mapping = (node, write, place) => {
  const model = modelOf(place, write)
  const schema = schemaOf(place, write)
  const own = write.prompt(node.inputs.systemMessagePrompt ?? node.inputs.systemMessage, {})
  const { system = own, prompt } = promptOf(place, write)
  if (place.lent('inputModeration').length > 0)
    write.tell('What moderated the input is left out: put an If-Else or a model in front.')
  const fields = {
    ...model.fields,
    ...(system !== '' && { system }),
    prompt,
    ...historyOf(place, write),
    ...(schema !== undefined && { schema })
  }
  return {
    become: made({ main: { type: 'language-model', fields } }, write, {
      gives: TEXT_OR_DATA,
      connections: [model.connection]
    })
  }
}

const QA = `Use the following context to answer the question. Where it does not hold the answer, say that you do not know.\n\n{context}`

/** Texts are found in a collection, and a model answers with them. */
const retrieval: Mapping = (node, write, place) => {
  const { inputs } = node
  const model = modelOf(place, write)
  const [store] = [
    ...place.lent('vectorStoreRetriever'),
    ...place.lent('baseRetriever'),
    ...place.lent('vectorStore')
  ]
  const collection = store === undefined ? 'documents' : storeName(store)
  write.tell(`Make the collection "${collection}", and write the documents into it.`)
  const written = textOf(inputs.responsePrompt ?? inputs.systemMessagePrompt) || QA
  const template = written.includes('{context}') ? written : `${written}\n\n{context}`
  const parts: Record<string, Part> = {
    main: {
      type: 'language-model',
      fields: {
        ...model.fields,
        system: write.prompt(template, {}),
        prompt: write.question,
        ...historyOf(place, write)
      }
    },
    search: {
      type: 'knowledge-search',
      title: `Search ${collection}`,
      fields: { collection, query: write.question }
    }
  }
  return {
    become: made(parts, write, {
      takes: 'search.data',
      gives: TEXT_OR_DATA,
      links: [['search.text', 'main.data']],
      connections: [model.connection]
    })
  }
}

const agent: Mapping = (node, write, place) => {
  const { inputs } = node
  const model = modelOf(place, write)
  const tools = toolsOf(place)
  const system = write.prompt(
    inputs.systemMessage ?? inputs.systemMessagePrompt ?? inputs.agentPrompt ?? inputs.supervisorPrompt,
    inputs.promptValues
  )
  const { prompt } = promptOf(place, write)
  const human = write.prompt(inputs.humanMessagePrompt, inputs.promptValues)
  const steps = bounded(inputs.maxIterations, 1, 100)
  if (inputs.interrupt === true)
    write.tell('A person was asked before a tool was used: put an Approve into the flow of that tool.')
  const before = earlier(write)
  const fields = {
    ...model.fields,
    ...(system !== '' && { system }),
    prompt: human || [before, prompt].filter((text) => text !== '').join('\n\n'),
    ...historyOf(place, write),
    ...(steps !== undefined && { max_steps: steps })
  }
  return {
    become: made({ main: { type: 'agent', fields } }, write, {
      gives: TEXT_OR_DATA,
      connections: [model.connection]
    }),
    tools
  }
}

/** One after the other, agents read what those before them have said. */
function earlier(write: Writer): string {
  return write.graph
    .speakersBefore(write.node.id)
    .map(({ id }) => write.template(`{{ ${id} }}`))
    .join('\n\n')
}

/** An assistant of OpenAI lies with OpenAI: here it is an agent, whose instructions are to be copied. */
const assistant: Mapping = (node, write, place) => {
  write.tell('Its instructions and files lie with OpenAI: copy them into "system" and a collection.')
  return agent(node, write, place)
}

/** A table, or a database: an agent is given what asks it. */
const table: Mapping = (node, write, place) => {
  const isSql = /sql/i.test(node.name)
  write.tell(
    isSql
      ? 'Give the agent a flow that asks the database by SQL, as its tool.'
      : 'Give the agent a flow that reads the table, as its tool, or put its rows into the prompt.'
  )
  return agent(node, write, place)
}

/** Who leads workers is an agent, and each worker is a tool of it. */
const supervisor: Mapping = (node, write, place) => {
  const led = place.led(node.id).slice(0, 50)
  const workers = led.map((worker) => workerOf(worker, write, place))
  const team = { team_members: led.map(workerName).join(', ') }
  const promptValues = { ...valuesOf(node.inputs.promptValues), ...team }
  const step = agent({ ...node, inputs: { ...node.inputs, promptValues } }, write, place)!
  return {
    ...step,
    tools: [...(step.tools ?? []), ...workers.map(({ tool }) => tool)],
    flows: workers.flatMap(({ flows }) => flows)
  }
}

/** The tools of a model before it: here the model is an agent that has them. */
const seqTools: Mapping = (node, write, place) => {
  write.tell('The model before it becomes an agent of its own, which has the tools.')
  return agent(node, write, place)
}

export const CHATFLOW: Readonly<Record<string, Mapping>> = {
  llmChain: chain,
  conversationChain: chain,
  simpleChatEngine: chain,
  multiPromptChain: chain,
  seqLLMNode: agent,
  conversationalRetrievalQAChain: retrieval,
  retrievalQAChain: retrieval,
  vectorDBQAChain: retrieval,
  multiRetrievalQAChain: retrieval,
  contextChatEngine: retrieval,
  queryEngine: retrieval,
  subQuestionQueryEngine: agent,
  toolAgent: agent,
  openAIToolAgent: agent,
  openAIFunctionAgent: agent,
  mistralAIToolAgent: agent,
  anthropicAgent: agent,
  conversationalAgent: agent,
  conversationalRetrievalAgent: agent,
  conversationalRetrievalToolAgent: agent,
  reactAgentChat: agent,
  reactAgentLLM: agent,
  xmlAgent: agent,
  openAIToolAgentLlamaIndex: agent,
  anthropicAgent_LlamaIndex: agent,
  openAIAssistant: assistant,
  csvAgent: table,
  airtableAgent: table,
  sqlDatabaseChain: table,
  supervisor,
  seqStart,
  seqEnd,
  seqAgent: agent,
  seqCondition,
  seqConditionAgent,
  seqToolNode: seqTools,
  customFunction
}
