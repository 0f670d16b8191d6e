import { bounded, membersIn, membersOf, textOf } from '../values.ts'
import { classifier, extractor, retrieval, sentiment, summary } from './chains.ts'
import { type Mapping, several } from './mapping.ts'
import { asItem, modelFields, promptOf, schemaFrom } from './model-fields.ts'
import { assistant, openAi } from './open-ai.ts'

const agent: Mapping = (node, write, place) => {
  const { params } = node
  const options = membersOf(params.options)
  const schema = schemaFrom(place)
  const system = write.template(options.systemMessage ?? membersOf(options.options).systemMessage)
  const steps = bounded(options.maxIterations, 1, 100)
  const fields = {
    ...modelFields(node, write, place),
    prompt: promptOf(params, write),
    ...(system !== '' && { system }),
    ...(schema !== undefined && { schema }),
    ...(steps !== undefined && { max_steps: steps })
  }
  return {
    ...several({ main: { type: 'agent', fields }, item: asItem('output') }, write, { gives: 'data' }, [
      [schema === undefined ? 'main.text' : 'main.data', 'item.data']
    ]),
    takes: (input) => (input === 'tools' ? 'main.tools' : 'main.data')
  }
}

const chain: Mapping = (node, write, place) => {
  const { params } = node
  const schema = schemaFrom(place)
  const messages = membersIn(membersOf(params.messages).messageValues)
  const system = messages
    .filter(({ type }) => !/human|ai/i.test(textOf(type)))
    .map(({ message }) => write.template(message))
    .filter((text) => text !== '')
    .join('\n\n')
  const human = messages
    .filter(({ type, messageType }) => /human/i.test(textOf(type)) && messageType !== 'imageBinary')
    .map(({ message }) => write.template(message))
  const hasImage = messages.some(({ messageType }) => /image/i.test(textOf(messageType)))
  const fields = {
    ...modelFields(node, write, place),
    prompt: [promptOf(params, write), ...human].filter((text) => text !== '').join('\n\n'),
    ...(system !== '' && { system }),
    ...(schema !== undefined && { schema }),
    ...(hasImage && { images: '{data?}' })
  }
  const member = schema !== undefined ? 'output' : 'text'
  return several(
    { main: { type: 'language-model', fields }, item: asItem(member) },
    write,
    { takes: 'data', gives: 'data' },
    [[schema === undefined ? 'main.text' : 'main.data', 'item.data']],
    hasImage ? 'Say in "images" where the picture stands in the data.' : ''
  )
}

export const MODELS: Readonly<Record<string, Mapping>> = {
  'ai:agent': agent,
  'ai:openAi': openAi,
  openAi,
  'ai:openAiAssistant': assistant,
  'ai:googleGemini': openAi,
  'ai:anthropic': openAi,
  'ai:chainLlm': chain,
  'ai:informationExtractor': extractor,
  'ai:textClassifier': classifier,
  'ai:sentimentAnalysis': sentiment,
  'ai:chainSummarization': summary,
  'ai:chainRetrievalQa': retrieval
}
