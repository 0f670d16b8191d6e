import type { JsonValue } from '../../../plugin-api.ts'
import { promptOf, type Question } from '../answer-question.ts'
import { AnswerText } from '../answer-text.ts'
import { askEither, type ModelStep, STREAMS, type Target } from '../ask-either.ts'
import { askModel, type ModelAnswer } from '../ask-model.ts'
import { knownModel } from '../known-models.ts'
import { modelFetch } from '../model-fetch.ts'
import { USUAL_TEMPERATURE } from '../model-fields.ts'
import { MODEL_KINDS } from '../model-kinds.ts'
import type { Model, ModelPrompt } from '../model-providers.ts'
import type { AgentTool, JudgedCall } from './agent-tools.ts'

/** What one question to the model came to, as it is kept. */
export interface Turn extends Readonly<Record<string, unknown>> {
  readonly text: string
  readonly thought?: string
  readonly calls: readonly JudgedCall[]
  readonly usage: TurnUsage
}

interface TurnUsage {
  readonly connection: string
  readonly model: string
  readonly input_tokens: number
  readonly cached_tokens: number
  readonly output_tokens: number
  readonly cost: number | null
  readonly finish: ModelAnswer['finish']
}

interface Asking {
  readonly step: ModelStep
  readonly question: Question
  readonly tools: readonly AgentTool[]
  /** What was said and called since the question. */
  readonly since: ModelPrompt
  /** Which call of the step it is. */
  readonly index: number
}

/** Asks the model what comes next. */
export function askTurn(asking: Asking): Promise<Turn> {
  const { step } = asking
  return askEither(step, (target) => {
    const connection = step.connection(target.connection, MODEL_KINDS)
    return connection.withResource(STREAMS, async (streams) => {
      const told = tellingTo(step, target, asking.index)
      const { outputLimit } = step
      const calls = modelFetch(connection, { streams, onText: told.ahead, outputLimit })
      const model = await knownModel(connection, target.model, calls)
      const asked = { connection: connection.name, model: target.model }
      const options = await optionsOf(asking, model)
      return turnOf(
        asked,
        await askModel(model, {
          ...{ asked, options, calls, outputLimit, told, mayCall: true },
          payFor: step.payFor
        })
      )
    })
  })
}

/** What the model said before it called tools is void for who listens: the answer comes last. */
function tellingTo(step: ModelStep, target: Target, index: number): AnswerText {
  let isAnew = target.isAnew || index > 0
  return new AnswerText((text) => {
    step.emit(text, { restart: isAnew })
    isAnew = false
  })
}

async function optionsOf({ step, question, tools, since, index }: Asking, model: Model) {
  const { temperature, max_tokens } = step.fields
  const asked = await promptOf(step, question, model)
  return {
    prompt: [...asked, ...since],
    headers: { 'idempotency-key': `${step.idempotencyKey}/${index}` },
    ...(tools.length > 0 && { tools: tools.map(toldOf), toolChoice: { type: 'auto' as const } }),
    ...(temperature !== USUAL_TEMPERATURE && { temperature }),
    ...(max_tokens > 0 && { maxOutputTokens: max_tokens })
  }
}

function toldOf({ name, tool: { description, parameters } }: AgentTool) {
  return { type: 'function' as const, name, description, inputSchema: parameters as object }
}

function turnOf(
  asked: Pick<TurnUsage, 'connection' | 'model'>,
  { text, thought, calls, finish, input_tokens, cached_tokens, output_tokens, cost }: ModelAnswer
): Turn {
  return {
    text,
    ...(thought !== '' && { thought }),
    calls: calls as readonly (JudgedCall & { readonly provider?: JsonValue })[],
    usage: { ...asked, input_tokens, cached_tokens, output_tokens, cost, finish }
  }
}
