import type { Part } from '../become.ts'
import { type Members, textOf } from '../values.ts'
import { agent, llm, storeName } from './asking.ts'
import { condition, conditionAgent } from './conditions.ts'
import { custom } from './custom-function.ts'
import { rowsOf } from './flowise-node.ts'
import { type Mapping, made, writtenText } from './step.ts'
import { toolStep } from './tool-step.ts'

/** Agentflows of version 2: each node is a step, and reads others by `{{ … }}`. */

const start: Mapping = (node, write) => {
  const { inputs } = node
  if (inputs.startInputType !== 'formInput') {
    return {
      become: made({ main: { type: 'chat-input', fields: {} } }, write, {
        takes: 'main.text',
        gives: () => 'main.message'
      })
    }
  }
  const fields = rowsOf(inputs.formInputTypes).map((row) => ({
    name: textOf(row.name) || textOf(row.label),
    label: textOf(row.label) || textOf(row.name),
    ...typeOfField(row)
  }))
  const form: Part = {
    type: 'form',
    fields: {
      title: textOf(inputs.formTitle) || node.title,
      description: textOf(inputs.formDescription),
      ...(fields.length > 0 && { fields })
    }
  }
  return { become: made({ main: form }, write, { gives: () => 'main.data' }) }
}

function typeOfField(row: Members): Members {
  const types: Readonly<Record<string, string>> = { number: 'number', boolean: 'checkbox' }
  if (row.type !== 'options') return { type: types[textOf(row.type)] ?? 'text' }
  const choices = rowsOf(row.addOptions)
    .map(({ option }) => textOf(option))
    .filter((option) => option !== '')
  return choices.length === 0 ? { type: 'text' } : { type: 'choice', choices }
}

const human: Mapping = (node, write) => {
  const question = write.template(node.inputs.humanInputDescription) || 'Go on?'
  if (node.inputs.humanInputDescriptionType === 'dynamic')
    write.tell('A model wrote the question there: it is fixed here.')
  write.tell('Whoever answers does so under Approvals, or by a link.')
  return {
    become: made({ main: { type: 'approve', fields: { question, choices: ['Proceed', 'Reject'] } } }, write, {
      gives: (output) => (output === '1' ? 'main.reject' : 'main.proceed')
    })
  }
}

const reply: Mapping = (node, write) => {
  const { parts, links } = writtenText(write.template(node.inputs.directReplyMessage))
  return {
    become: made({ main: { type: 'chat-output', fields: {} }, ...parts }, write, {
      takes: 'once.data',
      gives: () => 'main.message',
      links: [...links, ['text.parsed_text', 'main.text']]
    })
  }
}

const http: Mapping = (node, write) => {
  const { inputs } = node
  const table = (value: unknown) => {
    const rows = rowsOf(value).filter(({ key }) => textOf(key) !== '')
    return rows.length === 0
      ? undefined
      : Object.fromEntries(rows.map((row) => [textOf(row.key), write.template(row.value)]))
  }
  const [headers, query] = [table(inputs.headers), table(inputs.queryParams)]
  const method = textOf(inputs.method) || 'GET'
  const isForm = /form|urlEncoded/i.test(textOf(inputs.bodyType))
  const body = isForm ? table(inputs.body) : write.template(inputs.body)
  const url = write.template(inputs.url).trim()
  if (url === '') write.tell('It had no address: write one into "url".')
  const fields = {
    method,
    url: url || 'https://example.com/',
    ...(headers !== undefined && { headers }),
    ...(query !== undefined && { query }),
    ...(body !== undefined && body !== '' && { body, ...(isForm && { body_type: 'Form' }) })
  }
  return {
    become: made({ main: { type: 'api-request', fields } }, write, {
      gives: (output) => (output === 'whole' ? 'main.response' : 'main.body')
    })
  }
}

const retriever: Mapping = (node, write) => {
  const [store = {}] = [
    ...rowsOf(node.inputs.retrieverKnowledgeDocumentStores),
    ...rowsOf(node.inputs.retrieverKnowledgeVSEmbeddings)
  ]
  const collection = storeName(store)
  write.tell(`Make the collection "${collection}", and write into it what lies in the store there.`)
  const query = write.template(node.inputs.retrieverQuery) || write.question
  return {
    become: made({ main: { type: 'knowledge-search', fields: { collection, query } } }, write, {
      gives: (output) => (output === 'data' ? 'main.matches' : 'main.text')
    })
  }
}

/** What comes of all turns is read as lines. */
const LINES = `const list = Array.isArray(data) ? data : [data]
return list.filter((each) => each !== null && each !== undefined && each !== '').map((each) => (typeof each === 'object' ? JSON.stringify(each) : String(each))).join('\\n')`

/** A list, or the JSON of one: what stands in it runs for each. */
const iteration: Mapping = (node, write) => {
  write.tell('A turn that fails, fails the run: there its message was one of the results.')
  const { parts, links } = writtenText(write.template(node.inputs.iterationInput))
  const code = `const list = typeof data === 'string' ? JSON.parse(data) : data\nreturn Array.isArray(list) ? list : [list]`
  return {
    become: {
      ...made(
        {
          main: { type: 'for-each', fields: {} },
          ...parts,
          list: { type: 'code', title: 'The list', fields: { code } },
          lines: { type: 'code', title: 'Its results as lines', fields: { code: LINES } }
        },
        write,
        {
          gives: (output) => ({ item: 'main.item', data: 'main.results' })[output] ?? 'lines.result',
          links: [
            ...links,
            ['text.parsed_text', 'list.data'],
            ['list.result', 'main.items'],
            ['main.results', 'lines.data']
          ]
        }
      ),
      takes: (input) => (input === 'back' ? 'main.result' : 'once.data')
    }
  }
}

export const AGENTFLOW: Readonly<Record<string, Mapping>> = {
  startAgentflow: start,
  llmAgentflow: llm,
  agentAgentflow: agent,
  conditionAgentflow: condition,
  conditionAgentAgentflow: conditionAgent,
  humanInputAgentflow: human,
  directReplyAgentflow: reply,
  httpAgentflow: http,
  customFunctionAgentflow: custom,
  retrieverAgentflow: retriever,
  toolAgentflow: toolStep,
  iterationAgentflow: iteration
}
