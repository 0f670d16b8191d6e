import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../clock.ts'
import { MillraceError } from '../../errors.ts'
import type { Files, NewFile } from '../../files/files.ts'
import { asFile } from '../../flows/file-value.ts'
import { thanksOf } from '../../flows/form/form.ts'
import { type FilledForm, KEY_NAME, TRAP_NAME } from '../../flows/form/form-html.ts'
import { type AnswerFault, readAnswers } from '../../flows/form/read-answers.ts'
import { startReferences } from '../../flows/graph/start-references.ts'
import { writeJson } from '../../flows/json/exact-json.ts'
import type { FlowLibrary } from '../../library/flow-library.ts'
import { flowNotFound } from '../../library/flow-refusals.ts'
import type { FormEntry } from '../../library/form-entry.ts'
import type { LiveFlow } from '../../library/live-flow.ts'
import type { Runs } from '../../runs/runs.ts'
import { isAlias } from '../webhook/admission.ts'
import { formDelivery, namedDeliveries, reusedKey } from '../webhook/deliveries.ts'
import { type RateLimits, rateLimitFields } from '../webhook/rate-limiter.ts'
import { requestFacts } from '../webhook/request-facts.ts'
import { answerStarted } from '../webhook/start-response.ts'
import { readSentForm, type SentAnswers, type SentForm } from './form-body.ts'
import { sendForm, sendThanks, wantsJson } from './form-pages.ts'

export interface TakeFormDeps {
  readonly library: FlowLibrary
  readonly runs: Runs
  readonly files: Pick<Files, 'keep' | 'letGo' | 'limit'>
  /** Of all that is not a file. */
  readonly bodyLimit: number
  readonly clock: Clock
  /** One for the service: a form has one limit, wherever it is served. */
  readonly limiter: RateLimits
  /** What addresses that are told begin with. */
  readonly prefix: string
  readonly onAccepted: (seconds: number) => void
}

interface FlowWithForm {
  readonly flow: LiveFlow
  readonly entry: FormEntry
}

/** An absent flow and one without a form answer alike. */
export function formOf(request: FastifyRequest, library: FlowLibrary): FlowWithForm {
  const flow = library.find((request.params as { flow: string }).flow)
  const entry = flow?.form ?? null
  if (flow === undefined || entry === null) throw flowNotFound()
  return { flow, entry }
}

export function newKey(): string {
  return randomBytes(16).toString('base64url')
}

/** Reads what was sent, and starts a run with it; or says beside the fields what is wrong with them. */
export async function takeForm(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: TakeFormDeps
): Promise<FastifyReply> {
  const since = deps.clock.stopwatch()
  const { flow, entry } = formOf(request, deps.library)
  const sent = await readSentForm(request, flow.context, deps.runs.answerPace(), deps)
  if (request.formRefusal !== null) {
    const refused = { entry, filled: filledBy(sent, []), error: request.formRefusal }
    return answerRefusal(request, reply, refused, deps)
  }
  const { data, faults } = readAnswers(entry.form.fields, sent.answers)
  const filled = filledBy(sent, faults)
  try {
    const files = await judge({ flow, entry, sent, data, filled }, deps)
    const { run, isRepeated } = await start(request, { flow, data, files, key: filled.key }, deps)
    if (!isRepeated) deps.onAccepted((deps.clock.stopwatch() - since) / 1000)
    if (wantsJson(request)) return answerStarted(request, reply, { run, isRepeated, ...deps })
    const references = startReferences({ data, slug: flow.slug, now: deps.clock.now(), run })
    return sendThanks(reply, entry.form, thanksOf(entry.form, data, { ...entry.variables, ...references }))
  } catch (error) {
    if (!(error instanceof MillraceError)) throw error
    return answerRefusal(request, reply, { entry, filled, error }, deps)
  }
}

interface Sent {
  readonly flow: LiveFlow
  readonly entry: FormEntry
  readonly sent: SentForm
  readonly data: Data
  readonly filled: FilledForm
}

/** Throws what keeps it from being taken. Resolves to the files that the run begins with; of all others nothing is left. */
async function judge(
  { flow, entry, sent, data, filled }: Sent,
  { files, limiter }: TakeFormDeps
): Promise<NewFile[]> {
  try {
    if (filled.faults.length > 0 || filled.showsTrap === true) throw invalid(filled)
    await keepToLimit(flow, entry, limiter)
  } catch (error) {
    await files.letGo(sent.files)
    throw error
  }
  const named = new Set(Object.values(data).map((value) => asFile(value)?.file))
  await files.letGo(sent.files.filter(({ id }) => !named.has(id)))
  return sent.files.filter(({ id }) => named.has(id))
}

/** What was written stays: it is only to be sent again. Files have to be chosen again, as browsers do not let others do that. */
function filledBy({ answers, hadFiles }: SentForm, faults: readonly AnswerFault[]): FilledForm {
  const texts = textsIn(answers)
  const values = Object.fromEntries(texts)
  const { [KEY_NAME]: key = '', [TRAP_NAME]: trap = '' } = values
  const filled = { values, faults, key: key.slice(0, LONGEST_KEY), hadFiles }
  return trap === '' ? filled : { ...filled, showsTrap: true }
}

const LONGEST_KEY = 100

function textsIn(answers: SentAnswers): [string, string][] {
  return Object.entries(answers).filter((pair): pair is [string, string] => typeof pair[1] === 'string')
}

function invalid({ faults, showsTrap = false }: FilledForm): MillraceError {
  const errors = faults.map(({ name, message }) => ({
    code: 'invalid_answer',
    path: `/${name}`,
    field: name,
    message
  }))
  if (showsTrap) {
    const message = 'It is there for programs that fill in everything. Leave it empty.'
    errors.push({ code: 'invalid_answer', path: `/${TRAP_NAME}`, field: TRAP_NAME, message })
  }
  const first = errors[0]!
  return new MillraceError('payload_invalid', `${first.field}: ${first.message}`, { errors })
}

type Data = ReturnType<typeof readAnswers>['data']

interface Refused {
  readonly entry: FormEntry
  readonly filled: FilledForm
  readonly error: MillraceError
}

function answerRefusal(
  request: FastifyRequest,
  reply: FastifyReply,
  { entry, filled, error }: Refused,
  { prefix, files }: TakeFormDeps
): FastifyReply {
  if (wantsJson(request)) throw error
  reply.headers(error.extras.headers ?? {})
  const problem = problemFor(filled, error)
  // Whoever sent it twice is to be let in once it is right.
  const shown = { ...filled, key: filled.key === '' ? newKey() : filled.key }
  return sendForm(reply, entry.form, problem === undefined ? shown : { ...shown, problem }, {
    status: error.status,
    prefix,
    fileLimit: files.limit
  })
}

/** What whoever fills in the form can do about it. */
function problemFor(
  { faults, showsTrap = false }: FilledForm,
  { status }: MillraceError
): string | undefined {
  if (showsTrap) return 'A field was filled in that is to be left empty. Look at it, and send the form again.'
  if (faults.length > 0) return undefined
  if (status === 429)
    return 'The form is being sent too often just now. Nothing was sent: wait a minute and send it again.'
  return 'The form cannot be taken just now. Nothing was sent: try again in a moment.'
}

async function keepToLimit(flow: LiveFlow, { rateLimit }: FormEntry, limiter: RateLimits): Promise<void> {
  if (rateLimit === 0) return
  // Not that of its webhook.
  const verdict = await limiter.take(`${flow.id} form`, rateLimit)
  if (verdict.allowed) return
  throw new MillraceError(
    'rate_limited',
    `The form of flow "${flow.slug}" is taken ${verdict.perMinute} times per minute. Send it again in ${verdict.secondsToNext} s.`,
    { headers: { ...rateLimitFields(verdict), 'retry-after': String(verdict.secondsToNext) } }
  )
}

interface Sound {
  readonly flow: LiveFlow
  readonly data: Data
  readonly files: readonly NewFile[]
  /** Of the page that it was sent from; empty where it came from none. */
  readonly key: string
}

async function start(request: FastifyRequest, { flow, data, files, key }: Sound, deps: TakeFormDeps) {
  const { runs, library } = deps
  const input = Buffer.from(writeJson(data))
  const { flow: reference } = request.params as { flow: string }
  if (isAlias(reference, flow)) library.aliasCalls.add(flow, reference, { key: null, address: request.ip })
  const facts = requestFacts(request.raw, { url: request.url, address: request.ip, hidden: null })
  const given = { flow, trigger: 'form', input, request: facts, ...(files.length === 0 ? {} : { files }) }
  const content = contentOf(data, files)
  const deliveries = namedDeliveries(flow.id, request.headers, content)
  if (key !== '') deliveries.push(formDelivery(flow.id, key, content))
  if (deliveries.length === 0) return { run: await runs.start(given), isRepeated: false }
  const acceptance = await runs.startOnce(given, deliveries)
  if (acceptance.verdict === 'other body') throw reusedKey(acceptance.runId)
  if (acceptance.verdict === 'duplicate') return { run: { id: acceptance.runId }, isRepeated: true }
  return { run: acceptance.run, isRepeated: false }
}

/** The same whenever the same is sent: a file has another id each time. */
function contentOf(data: Data, files: readonly NewFile[]): Buffer {
  const digests = new Map(files.map(({ id, digest }) => [id, digest]))
  const same = Object.entries(data).map(([name, value]) => {
    const file = asFile(value)
    return [name, file === undefined ? value : { ...file, file: digests.get(file.file) }]
  })
  return Buffer.from(writeJson(Object.fromEntries(same)))
}
