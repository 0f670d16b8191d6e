import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A model that says " 0", " 1", " 2" … as OpenAI's Chat Completions do: as many as it is asked for, the first one after
 * a moment, the others every 20 ms, each in a packet of its own.
 *
 * Offered tools, it calls the first of them, one call in each answer, as often as the question says, and then says " 0". It tells at
 * `/pauses` how long it was left alone between such an answer and the next question: who asks did everything else meanwhile.
 *
 * At `/tool` it is what a tool calls.
 *
 * It shares the machine with what is measured, so it takes as little of it as it can: a token is written out once for all
 * who are told it, and a few timers serve all streams, at different moments.
 */
const FIRST_AFTER_MS = 30
const TOKEN_EVERY_MS = 20
const TIMERS = 4

interface Speech {
  readonly response: ServerResponse
  readonly tokens: number
  said: number
}

interface Question {
  readonly messages: readonly { readonly role: string; readonly content: string }[]
  readonly tools?: readonly { readonly function: { readonly name: string } }[]
}

const speeches = Array.from({ length: TIMERS }, () => new Set<Speech>())
const written: Buffer[] = []
let asked = 0
let pauses: number[] = []
let calledAt: number | undefined

const server = createServer((request, response) => {
  if (request.url === '/tool') return response.end('done')
  if (request.url === '/pauses') return tellPauses(response)
  if (calledAt !== undefined) pauses.push(performance.now() - calledAt)
  calledAt = undefined
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const { messages, tools = [] } = JSON.parse(Buffer.concat(chunks).toString()) as Question
    const wanted = Number(messages.find(({ role }) => role === 'user')!.content)
    const calls = messages.filter(({ role }) => role === 'tool').length
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.flushHeaders()
    setTimeout(() => {
      if (tools.length === 0) speak(response, wanted)
      else if (calls === wanted) speak(response, 1)
      else call(response, tools[0]!.function.name, calls)
    }, FIRST_AFTER_MS)
  })
})

function call(response: ServerResponse, name: string, calls: number): void {
  const made = { index: 0, id: `call-${calls}`, type: 'function', function: { name, arguments: '{}' } }
  response.write(event({ choices: [{ index: 0, delta: { tool_calls: [made] }, finish_reason: null }] }))
  end(response, 'tool_calls', 1)
  calledAt = performance.now()
}

function tellPauses(response: ServerResponse): void {
  response.end(JSON.stringify(pauses))
  pauses = []
}

function speak(response: ServerResponse, tokens: number): void {
  const others = speeches[asked++ % TIMERS]!
  const speech = { response, tokens, said: 0 }
  others.add(speech)
  response.on('close', () => others.delete(speech))
  say(speech, others)
}

function say(speech: Speech, others: Set<Speech>): void {
  const { response, tokens } = speech
  const token = speech.said++
  written[token] ??= inChunk({
    choices: [{ index: 0, delta: { content: ` ${token}` }, finish_reason: null }]
  })
  response.socket?.write(written[token])
  if (speech.said < tokens) return
  others.delete(speech)
  end(response, 'stop', tokens)
}

function end(response: ServerResponse, finish_reason: string, tokens: number): void {
  response.write(event({ choices: [{ index: 0, delta: {}, finish_reason }] }))
  response.write(
    event({ choices: [], usage: { prompt_tokens: 1, completion_tokens: tokens, total_tokens: tokens + 1 } })
  )
  response.end('data: [DONE]\n\n')
}

function event(rest: object): string {
  return `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'bench', ...rest })}\n\n`
}

/** As the response would write it, which takes three buffers for it. */
function inChunk(rest: object): Buffer {
  const text = event(rest)
  return Buffer.from(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`)
}

for (const [index, others] of speeches.entries()) {
  setTimeout(
    () =>
      setInterval(() => {
        for (const speech of others) say(speech, others)
      }, TOKEN_EVERY_MS),
    (index * TOKEN_EVERY_MS) / TIMERS
  )
}

server.listen(0, '127.0.0.1', () => {
  console.log(`The model is ready at http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
