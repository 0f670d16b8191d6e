import { StepError } from '../../engine/step-error.ts'
import { parsePlainInTurns } from '../../flows/json/document-json.ts'
import { SharedPace } from '../../flows/shared-pace.ts'
import type { IncomingAnswer, OpenConnection } from '../../flows/step/step-connection.ts'
import { abilitiesOf, contextOf, type ToldModel } from './model-abilities.ts'

/** Enough for any list of models. */
const MOST_BYTES = 4 * 1024 * 1024
/** As many as the providers give at once. */
const MOST_MODELS = 1_000
const LONGEST_NAME = 300
/** So many entries are looked at. */
const MOST_LISTED = 10_000
/** Some tell a hundred things of each. */
const MOST_READ = { depth: 100, members: 10_000, values: 200_000 }

/** Who answers may be anybody, and 4 MB of JSON take half a second. */
const pace = new SharedPace({ stopwatch: () => performance.now(), soon: (then) => void setImmediate(then) })

/** A model that the provider offers. */
export interface OfferedModel {
  readonly name: string
  /** It answers in text, so that a node can ask it. */
  readonly writesText: boolean
  /** Empty where nobody says. */
  readonly can: readonly string[]
  readonly contextTokens?: number
}

/** The models that the provider offers, in an order to choose from. */
export async function listModels(connection: OpenConnection): Promise<readonly OfferedModel[]> {
  // A redirect is an answer: where it leads is not what the connection means.
  const answer = await connection.request(`/models${QUERIES[connection.kind] ?? ''}`, {
    headers: keyHeaders(connection),
    redirect: 'manual'
  })
  const who = `${new URL(answer.url).origin} answered ${answer.status}.`
  if (answer.status < 200 || answer.status > 299) {
    await answer.discard()
    const isRefusal = answer.status === 401 || answer.status === 403
    throw failed(
      isRefusal
        ? `${who} Check the API key.`
        : `${who} Check the API key, and the address up to its version, such as /v1.`
    )
  }
  const models = await readModels(await readText(answer))
  if (models === undefined)
    throw failed(`${who} The answer is not a list of models; the address may be another service’s.`)
  return offered(models, connection.kind)
}

/** Some give twenty where nothing is said. */
const QUERIES: Readonly<Record<string, string>> = {
  anthropic: `?limit=${MOST_MODELS}`,
  google: `?pageSize=${MOST_MODELS}`
}

function keyHeaders({ kind, secrets }: OpenConnection): Record<string, string> {
  const { api_key: key } = secrets
  if (key === undefined) return {}
  switch (kind) {
    case 'anthropic':
      return { 'x-api-key': key, 'anthropic-version': '2023-06-01' }
    case 'google':
      return { 'x-goog-api-key': key }
    default:
      return { authorization: `Bearer ${key}` }
  }
}

/** A model as OpenAI and Anthropic (`id`) or Google (`name`) list it. */
interface ListedModel extends ToldModel {
  /** In seconds since 1970. */
  readonly created?: unknown
}

/** `data` of OpenAI and Anthropic, `models` of Google; a few that call themselves compatible give the bare list. */
async function readModels(text: string): Promise<readonly ListedModel[] | undefined> {
  try {
    const answer = await pace.run(parsePlainInTurns(text, MOST_READ))
    const { data, models } = Object(answer) as { data?: unknown; models?: unknown }
    const list = data ?? models ?? answer
    if (!Array.isArray(list)) return undefined
    return list.slice(0, MOST_LISTED).map((model) => Object(model) as ListedModel)
  } catch {
    return undefined
  }
}

/** The newest first, where it is told how old they are. */
function offered(models: readonly ListedModel[], kind: string): readonly OfferedModel[] {
  const ageOf = ({ created }: ListedModel) => (typeof created === 'number' ? created : 0)
  const byName = new Map<string, OfferedModel>()
  for (const model of models.toSorted((one, other) => ageOf(other) - ageOf(one))) {
    const name = nameOf(model).replace(/^models\//, '')
    if (name === '' || byName.has(name)) continue
    const contextTokens = contextOf(model)
    byName.set(name, {
      name,
      writesText: writesText(model, kind),
      can: abilitiesOf(model, kind),
      ...(contextTokens !== undefined && { contextTokens })
    })
  }
  return [...byName.values()].slice(0, MOST_MODELS)
}

/** OpenAI lists all that it has under one address, and says of none what it is for. */
const OTHER_USES =
  /embedding|moderation|whisper|tts|transcribe|realtime|audio|dall-e|image|sora|davinci|babbage/

function writesText(model: ListedModel, kind: string): boolean {
  const { supportedGenerationMethods: methods } = model
  if (Array.isArray(methods)) return methods.includes('generateContent')
  return kind !== 'openai' || !OTHER_USES.test(nameOf(model))
}

/** Empty where it is too long to be one, or not text. */
function nameOf({ id, name }: ListedModel): string {
  const given = id ?? name
  return typeof given === 'string' && given.length <= LONGEST_NAME ? given : ''
}

async function readText({ body }: IncomingAnswer): Promise<string> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of body) {
    bytes += part.length
    if (bytes > MOST_BYTES) throw failed('The list of models is longer than 4 MB.')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

function failed(message: string): StepError {
  return new StepError(message, { code: 'connection_refused' })
}
