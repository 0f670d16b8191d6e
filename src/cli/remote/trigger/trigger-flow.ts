import { setTimeout as wait } from 'node:timers/promises'
import type { Command } from '../../command.ts'
import { AnswerIsNo, CommandError, UsageError } from '../../command-error.ts'
import { ofFlow } from '../flows/flow-named.ts'
import { FlowNames } from '../flows/flow-names.ts'
import type { Outside } from '../outside.ts'
import { harmlessLines } from '../print/width.ts'
import { readBytes } from '../read-body.ts'
import { ApiRefusal } from '../refusals.ts'
import type { Remote } from '../remote.ts'
import { type Run, runPath } from '../runs/run-choice.ts'
import { printRun } from '../runs/show-run.ts'

/** As long as the service lets a caller wait; after it, the run is asked for. */
const WAIT_S = 300
const BESIDES_MS = 15_000
const AGAIN_MS = 1_000
/** An answer of a flow is waited for by its Webhook. */
const ANSWER_MS = 320_000
const ENDS = ['succeeded', 'failed', 'cancelled']

interface Started {
  readonly message: string
  readonly status: string
  readonly run_id: string
}

/** Sends what somebody else would send, and shows what comes of it. */
export async function triggerFlow({ operands, options }: Command<'trigger'>, remote: Remote): Promise<void> {
  const { api, outside } = remote
  const body = await readData(options.data, outside)
  const method = options.method ?? 'POST'
  if (method === 'GET' && body !== undefined)
    throw new UsageError('A GET has no body. Leave -d out, or choose another method.')
  const sent = {
    ...contentType(body),
    ...readHeaders(options.header),
    ...(options.wait ? { prefer: `wait=${WAIT_S}` } : {})
  }
  const path = `/api/v1/webhook/${encodeURIComponent(operands.flow)}`
  const timeoutMs = options.wait ? WAIT_S * 1_000 + BESIDES_MS : ANSWER_MS
  const response = await ofFlow(api, operands.flow, () =>
    api.send(path, { method, headers: sent, body, timeoutMs }).then((answer) => refuse(answer, remote))
  )
  const text = await response.text()
  const started = readStarted(response, text)
  if (started === undefined) return tellAnswer(response, text, remote)
  if (!options.wait) return tellStarted(started, remote)
  await tellEnd(started, remote)
}

/** What the flow itself answers is no refusal, whatever its status says: it has run. */
async function refuse(response: Response, { api }: Remote): Promise<Response> {
  const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json') === true
  if (response.ok || (!isProblem && response.headers.has('location'))) return response
  throw new ApiRefusal(response, await response.text(), api)
}

async function readData(data: string | undefined, outside: Outside): Promise<Uint8Array | undefined> {
  if (data === undefined) return undefined
  return data.startsWith('@') ? readBytes(data.slice(1), outside) : new TextEncoder().encode(data)
}

/** JSON is told by what it is, as the service does. */
function contentType(body: Uint8Array | undefined): Record<string, string> {
  if (body === undefined) return {}
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body)
    return { 'content-type': isJson(text) ? 'application/json' : 'text/plain; charset=utf-8' }
  } catch {
    return { 'content-type': 'application/octet-stream' }
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function readHeaders(headers: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    headers.map((header) => {
      const [, name, value] = /^([!#$%&'*+.^`|~\w-]+):\s*(.*)$/.exec(header) ?? []
      if (name === undefined)
        throw new UsageError(`"${header}" is no header. Write one like "x-github-event: push".`)
      return [name.toLowerCase(), value!]
    })
  )
}

/** Undefined where it is what the flow answers. */
function readStarted({ status }: Response, text: string): Started | undefined {
  if (status !== 202 || !text.startsWith('{"message":"Task started')) return undefined
  return JSON.parse(text) as Started
}

async function tellAnswer(response: Response, text: string, { screen }: Remote): Promise<void> {
  const run_id = response.headers.get('location')?.split('/').at(-1) ?? null
  const { status } = response
  if (screen.isJson)
    screen.json({ run_id, answer: { status, headers: Object.fromEntries(response.headers), body: text } })
  else {
    screen.note(`The flow answers ${status}.${run_id === null ? '' : ` Run ${run_id}.`}`)
    screen.print(screen.isTerminal ? `${harmlessLines(text).trimEnd()}\n` : text)
  }
  if (status >= 400) throw new AnswerIsNo()
}

function tellStarted(started: Started, { screen }: Remote): void {
  if (screen.isJson) return screen.json(started)
  screen.print(`${started.run_id}\n`)
  if (screen.isTerminal) screen.note(`millrace runs show ${started.run_id} shows what becomes of it.`)
}

async function tellEnd({ run_id, status }: Started, remote: Remote): Promise<void> {
  const { api, screen } = remote
  const run = await waitForEnd(run_id, remote)
  const ending = run?.status ?? status
  if (run === undefined) {
    if (screen.isJson) screen.json({ run_id, status })
    else screen.print(`${run_id}  ${status}\n`)
  } else if (screen.isJson) screen.json(run)
  else printRun(run, await new FlowNames(api).of(run.flow_id), screen, false)
  if (ending !== 'succeeded') throw new AnswerIsNo()
}

/** Undefined where the key may start the flow and not read its runs. One that waits for somebody is not waited for. */
async function waitForEnd(id: string, { api, outside }: Remote): Promise<Run | undefined> {
  try {
    for (;;) {
      const run = await api.call<Run>(runPath(id))
      const waitsForPeople = run.waiting.some(({ kind }) => kind === 'call' || kind === 'answer')
      if (ENDS.includes(run.status) || waitsForPeople || run.held === true) return run
      await wait(AGAIN_MS, undefined, { signal: outside.signal })
    }
  } catch (error) {
    if (error instanceof CommandError && error instanceof ApiRefusal && [403, 404].includes(error.status))
      return undefined
    throw error
  }
}
