import { AnswerText } from '../components/language-model/answer-text.ts'
import { STREAMS } from '../components/language-model/ask-either.ts'
import { askModel, type ModelAnswer } from '../components/language-model/ask-model.ts'
import { modelFetch } from '../components/language-model/model-fetch.ts'
import { MODEL_KINDS } from '../components/language-model/model-kinds.ts'
import { type ModelPrompt, modelOf } from '../components/language-model/model-providers.ts'
import type { ConnectionOpener } from '../connections/connection-opener.ts'
import { OpenedSecrets } from '../connections/opened-secrets.ts'
import { StepError } from '../engine/step-error.ts'
import type { StepCosts } from '../flows/step/step-costs.ts'
import type { ToldTool } from './assistant-tools.ts'

/** What people and small models write at once is far less; an answer that is longer is none. */
const OUTPUT_LIMIT = { bytes: 256 * 1024, of: 'step', most: 256 * 1024 } as const
/** In tokens, with what it thinks. */
const MOST_OUTPUT = 16_384

export interface ModelDeps {
  readonly opener: Pick<ConnectionOpener, 'openByName'>
}

export interface ChosenModel {
  /** Where the flow lives: that decides what the name of the connection means. */
  readonly context: string
  readonly connection: string
  readonly model: string
}

interface ModelAround {
  readonly signal: AbortSignal
  readonly payFor: StepCosts['payFor']
  readonly onText: (text: string) => void
}

export interface AssistantModel {
  ask(prompt: ModelPrompt, tools: readonly ToldTool[]): Promise<ModelAnswer>
}

/** The model that was chosen, asked through the same guard and with the same trust as a step of the flow would ask it. */
export function openModel(
  { opener }: ModelDeps,
  { context, connection: name, model: modelName }: ChosenModel,
  { signal, payFor, onText }: ModelAround
): AssistantModel {
  const secrets = new OpenedSecrets()
  const connection = opener.openByName(context, { name, kinds: MODEL_KINDS }, { signal, secrets })
  const ask = async (prompt: ModelPrompt, tools: readonly ToldTool[]): Promise<ModelAnswer> => {
    const asked = { connection: name, model: modelName }
    return connection.withResource(STREAMS, async (streams) => {
      const told = new AnswerText((text) => onText(secrets.redactText(text)))
      const calls = modelFetch(connection, { streams, onText: told.ahead, outputLimit: OUTPUT_LIMIT })
      const model = await modelOf(connection, modelName, calls.fetch)
      const options = {
        prompt: secrets.redactValue(prompt) as ModelPrompt,
        maxOutputTokens: MOST_OUTPUT,
        abortSignal: signal,
        tools: tools.map((tool) => ({ type: 'function' as const, ...tool })),
        toolChoice: { type: 'auto' as const }
      }
      return askModel(model, {
        asked,
        options,
        calls,
        outputLimit: OUTPUT_LIMIT,
        told,
        mayCall: true,
        payFor
      })
    })
  }
  return {
    ask: (prompt, tools) =>
      ask(prompt, tools).then(
        (answer) => withoutSecrets(answer, secrets),
        (error) => {
          throw secrets.isEmpty || !(error instanceof StepError) ? error : secrets.redactError(error)
        }
      )
  }
}

/** A provider may say again what it was called with. */
function withoutSecrets(answer: ModelAnswer, secrets: OpenedSecrets): ModelAnswer {
  const calls = answer.calls.map((call) => ({ ...call, input: secrets.redactText(call.input) }))
  return { ...answer, text: secrets.redactText(answer.text), thought: '', calls }
}
