import { StepError } from '../../engine/step-error.ts'
import type { IncomingAnswer, OpenConnection } from '../../flows/step/step-connection.ts'

/** Enough for any list of models. */
const MOST_BYTES = 4 * 1024 * 1024
/** As many as the providers give at once. */
const MOST_MODELS = 1_000
const LONGEST_NAME = 300

/** Names of the models that the provider offers for text, in an order to choose from. */
export async function listModels(connection: OpenConnection): Promise<readonly string[]> {
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
  const models = readModels(await readText(answer))
  if (models === undefined)
    throw failed(`${who} The answer is not a list of models; the address may be another service’s.`)
  return namesOf(models, connection.kind)
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
interface ListedModel {
  readonly id?: unknown
  readonly name?: unknown
  /** In seconds since 1970. */
  readonly created?: unknown
  readonly supportedGenerationMethods?: unknown
}

/** `data` of OpenAI and Anthropic, `models` of Google; a few that call themselves compatible give the bare list. */
function readModels(text: string): readonly ListedModel[] | undefined {
  try {
    const answer: unknown = JSON.parse(text)
    const { data, models } = Object(answer) as { data?: unknown; models?: unknown }
    const list = data ?? models ?? answer
    return Array.isArray(list) ? list.map((model) => Object(model) as ListedModel) : undefined
  } catch {
    return undefined
  }
}

/** The newest first, where it is told how old they are. */
function namesOf(models: readonly ListedModel[], kind: string): string[] {
  const ageOf = ({ created }: ListedModel) => (typeof created === 'number' ? created : 0)
  const names = models
    .filter((model) => writesText(model, kind))
    .toSorted((one, other) => ageOf(other) - ageOf(one))
    .map(({ id, name }) => String(id ?? name ?? '').replace(/^models\//, ''))
    .filter((name) => name !== '' && name.length <= LONGEST_NAME)
  return [...new Set(names)].slice(0, MOST_MODELS)
}

/** OpenAI lists all that it has under one address, and says of none what it is for. */
const OTHER_USES =
  /embedding|moderation|whisper|tts|transcribe|realtime|audio|dall-e|image|sora|davinci|babbage/

function writesText({ id, supportedGenerationMethods: methods }: ListedModel, kind: string): boolean {
  if (Array.isArray(methods)) return methods.includes('generateContent')
  return kind !== 'openai' || !OTHER_USES.test(String(id))
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
