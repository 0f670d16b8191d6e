import { inTurns, type OpenConnection, StepError, type Template } from '../../plugin-api.ts'
import { AnswerText } from './answer-text.ts'
import { askEither, type ModelStep, STREAMS, type Target } from './ask-either.ts'
import { askModel, type ModelAnswer, sumOfCosts, type TokenCount } from './ask-model.ts'
import { knownModel } from './known-models.ts'
import { modelFetch, type StreamCount } from './model-fetch.ts'
import { USUAL_TEMPERATURE } from './model-fields.ts'
import { MODEL_KINDS } from './model-kinds.ts'
import {
  conversation,
  type GivenImage,
  givenImages,
  imagePart,
  templateScope,
  textOfInputs
} from './model-prompt.ts'
import type { Model, ModelPrompt } from './model-providers.ts'
import { type RecalledSession, recallSession } from './recall-session.ts'
import { judge, misfit, repairRequest } from './structured-answer.ts'

export interface Question {
  readonly system: string
  readonly text: string
  readonly images: readonly GivenImage[]
  readonly before: RecalledSession
}

export async function answerQuestion(step: ModelStep) {
  const question = await questionOf(step)
  return askEither(step, (target) => answerOf(step, question, target))
}

export async function questionOf(step: ModelStep): Promise<Question> {
  const { inputs, prepared, run } = step
  const scope = templateScope(inputs)
  const render = (template: Template) => template.render(scope, run.variables)
  const text = prepared.prompt.source === '' ? textOfInputs(inputs) : render(prepared.prompt)
  const images = givenImages(render(prepared.images))
  if (text === '' && images.length === 0) throw nothingToAsk()
  return {
    system: render(prepared.system),
    text,
    images,
    before: await recallSession(step, scope)
  }
}

async function answerOf(step: ModelStep, question: Question, target: Target) {
  const connection = step.connection(target.connection, MODEL_KINDS)
  return connection.withResource(STREAMS, (streams) => ask(step, question, { target, connection, streams }))
}

interface Route {
  readonly target: Target
  readonly connection: OpenConnection
  readonly streams: StreamCount
}

async function ask(step: ModelStep, question: Question, { target, connection, streams }: Route) {
  const { fields, prepared, outputLimit } = step
  const { schema } = prepared
  let isAnew = target.isAnew
  const told = new AnswerText((text) => {
    step.emit(text, { restart: isAnew })
    isAnew = false
  })
  // Where a schema is asked for, some providers answer by other events than those of text.
  const onText = schema === null ? told.ahead : undefined
  const calls = modelFetch(connection, { streams, onText, outputLimit })
  const model = await knownModel(connection, target.model, calls)
  const asked = { connection: connection.name, model: target.model }
  const prompt = await promptOf(step, question, model)
  const answerTo = (prompt: ModelPrompt, key: string) => {
    const options = { ...optionsOf(fields, prompt), headers: { 'idempotency-key': key } }
    return askModel(model, { asked, options, calls, outputLimit, told, payFor: step.payFor })
  }
  const answer = await answerTo(prompt, step.idempotencyKey)
  if (schema === null) return { text: answer.text, usage: usageOf(asked, answer, question.before.asked) }
  const judged = await inTurns(judge(answer.text, schema), step)
  if (judged.isGood)
    return { text: answer.text, data: judged.data, usage: usageOf(asked, answer, question.before.asked) }
  isAnew = true
  const repair: ModelPrompt = [
    ...prompt,
    { role: 'assistant', content: [{ type: 'text', text: answer.text }] },
    { role: 'user', content: [{ type: 'text', text: repairRequest(judged.faults) }] }
  ]
  const repaired = await answerTo(repair, `${step.idempotencyKey}/repair`)
  const rejudged = await inTurns(judge(repaired.text, schema), step)
  if (!rejudged.isGood) throw misfit(target.model, rejudged.faults)
  return {
    text: repaired.text,
    data: rejudged.data,
    usage: usageOf(asked, repaired, [answer, ...question.before.asked])
  }
}

export async function promptOf(
  step: ModelStep,
  { system, text, images, before }: Question,
  model: Model
): Promise<ModelPrompt> {
  const pictures = await Promise.all(images.map((image) => imagePart(image, model, step)))
  return conversation(system, before, [
    ...(text === '' ? [] : [{ type: 'text' as const, text }]),
    ...pictures
  ])
}

function optionsOf({ temperature, max_tokens, schema }: ModelStep['fields'], prompt: ModelPrompt) {
  return {
    prompt,
    ...(temperature !== USUAL_TEMPERATURE && { temperature }),
    ...(max_tokens > 0 && { maxOutputTokens: max_tokens }),
    ...(schema !== null && {
      responseFormat: { type: 'json' as const, schema: schema as object, name: 'answer' }
    }),
    // Strict schemas are a subset of JSON Schema; what the answer is worth, we judge.
    providerOptions: { openai: { strictJsonSchema: false }, compatible: { strictJsonSchema: false } }
  }
}

function usageOf(
  asked: { readonly connection: string; readonly model: string },
  last: ModelAnswer,
  others: readonly ModelAnswer[]
) {
  const answers = [last, ...others]
  const sum = (name: keyof TokenCount) => answers.reduce((total, answer) => total + answer[name], 0)
  const [input_tokens, cached_tokens, output_tokens] = [
    sum('input_tokens'),
    sum('cached_tokens'),
    sum('output_tokens')
  ]
  return {
    ...asked,
    calls: answers.length,
    input_tokens,
    cached_tokens,
    output_tokens,
    total_tokens: input_tokens + output_tokens,
    cost: sumOfCosts(answers),
    finish: last.finish
  }
}

function nothingToAsk(): StepError {
  return new StepError(
    'There is nothing to ask: the node has no prompt, and neither text nor data has reached it. Write a prompt, or wire an input.',
    { code: 'model_nothing_asked', retryable: false }
  )
}
