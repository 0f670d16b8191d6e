import { type Members, membersIn, membersOf, numberOf, textOf } from '../values.ts'
import { type Mapping, several } from './mapping.ts'
import { asItem, memoryFields, modelFields, nameOf, promptOf } from './model-fields.ts'
import { chosen } from './n8n-node.ts'

/** OpenAI's own node: messages to a model, and other things that it does. */
export const openAi: Mapping = (node, write, place) => {
  const { params } = node
  const resource = textOf(params.resource) || (node.type === 'openAi' ? 'chat' : 'text')
  const operation = textOf(params.operation)
  const known = Object.hasOwn(OPENAI, `${resource}/${operation}`)
    ? OPENAI[`${resource}/${operation}`]
    : OPENAI[resource]
  if (resource !== 'text' && resource !== 'chat' && known !== undefined) return known(node, write, place)
  const rows = membersIn(
    membersOf(params.messages).values ??
      membersOf(params.prompt).messages ??
      membersOf(params.responses).values
  )
  const of = (role: RegExp) =>
    rows
      .filter((row) => role.test(textOf(row.role) || 'user'))
      .map(({ content }) => write.template(content))
      .filter((text) => text !== '')
  const options = membersOf(params.options)
  const isJson = params.jsonOutput === true
  const system = of(/system|assistant/).join('\n\n')
  const prompt =
    typeof params.prompt === 'string' ? write.template(params.prompt) : of(/user|^$/).join('\n\n')
  const model = chosen(params.modelId ?? params.model ?? params.chatModel)
  const temperature = numberOf(options.temperature)
  const fields = {
    connection: write.connection('openai', undefined, 'openai'),
    model: nameOf(model, 'openai'),
    prompt: prompt || '{$data}',
    ...(system !== '' && { system }),
    ...(isJson && { schema: { type: 'object' } }),
    ...(temperature !== undefined && { temperature: Math.min(2, Math.max(0, temperature)) }),
    ...memoryFields(write, place)
  }
  const hasTools = place.inputs.includes(-1)
  const expression = '{ "message": { "role": "assistant", "content": $ }, "finish_reason": "stop" }'
  return {
    ...several(
      {
        main: { type: hasTools ? 'agent' : 'language-model', fields },
        item: { type: 'transform', title: 'As n8n gives it', fields: { expression } }
      },
      write,
      { gives: 'data' },
      [[isJson ? 'main.data' : 'main.text', 'item.data']]
    ),
    takes: (input) => (input === 'tools' && hasTools ? 'main.tools' : 'main.data')
  }
}

export const assistant: Mapping = (node, write, place) => {
  const fields = {
    ...modelFields(node, write, place),
    model: 'gpt-4o',
    connection: write.connection('openai', undefined, 'openai'),
    prompt: promptOf(node.params, write)
  }
  return {
    ...several(
      { main: { type: 'agent', fields }, item: asItem('output') },
      write,
      { gives: 'data' },
      [['main.text', 'item.data']],
      'The instructions, files and tools of the assistant lie with OpenAI: write the instructions into "system".'
    ),
    takes: (input) => (input === 'tools' ? 'main.tools' : 'main.data')
  }
}

function openAiCall(method: string, url: string, body: object, note = ''): Mapping {
  return (node, write) => {
    const fields = {
      connection: write.connection('http', undefined, 'openai'),
      method,
      url: `https://api.openai.com/v1${url}`,
      body: write.tree(bodyIn(body, node.params))
    }
    return several(
      { main: { type: 'api-request', fields } },
      write,
      { takes: 'data', gives: 'body' },
      [],
      note
    )
  }
}

/** Texts that begin with `@` name a setting. */
function bodyIn(body: object, params: Members): unknown {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      typeof value === 'string' && value.startsWith('@') ? (params[value.slice(1)] ?? '') : value
    ])
  )
}

const analyze: Mapping = (node, write, place) => {
  const { params } = node
  const image =
    params.inputType === 'base64'
      ? `{[${textOf(params.binaryPropertyName) || 'data'}]?}`
      : write.template(params.imageUrls)
  const fields = {
    // Its answer is no longer, unless somebody says so.
    max_tokens: 300,
    ...modelFields(node, write, place),
    model: textOf(chosen(params.modelId)) || 'gpt-4o',
    connection: write.connection('openai', undefined, 'openai'),
    prompt: write.template(params.text) || 'What is in this image?',
    images: image
  }
  return several(
    { main: { type: 'language-model', fields }, item: asItem('content') },
    write,
    { takes: 'data', gives: 'data' },
    [['main.text', 'item.data']]
  )
}

const OPENAI: Readonly<Record<string, Mapping>> = {
  assistant,
  'image/analyze': analyze,
  image: openAiCall(
    'POST',
    '/images/generations',
    { model: 'gpt-image-1', prompt: '@prompt' },
    'The picture comes as base64 in data[0].b64_json.'
  ),
  'audio/transcribe': openAiCall(
    'POST',
    '/audio/transcriptions',
    { model: 'whisper-1', file: '={{ $json.data }}' },
    'Set the body type to Multipart, and say where the file stands.'
  ),
  'audio/translate': openAiCall(
    'POST',
    '/audio/translations',
    { model: 'whisper-1', file: '={{ $json.data }}' },
    'Set the body type to Multipart, and say where the file stands.'
  ),
  audio: openAiCall('POST', '/audio/speech', { model: 'tts-1', voice: 'alloy', input: '@input' }),
  file: openAiCall(
    'POST',
    '/files',
    { purpose: 'assistants', file: '={{ $json.data }}' },
    'Set the body type to Multipart, and say where the file stands.'
  ),
  'text/moderate': openAiCall('POST', '/moderations', { input: '@text' })
}
