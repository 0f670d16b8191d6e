import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A model that says " 0", " 1", " 2" … as OpenAI's Chat Completions do: as many as it is asked for, the first one after
 * a moment, the others every 20 ms, each in a packet of its own.
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

const speeches = Array.from({ length: TIMERS }, () => new Set<Speech>())
const written: Buffer[] = []
let asked = 0

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const { messages } = JSON.parse(Buffer.concat(chunks).toString()) as { messages: { content: string }[] }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.flushHeaders()
    setTimeout(() => speak(response, Number(messages.at(-1)!.content)), FIRST_AFTER_MS)
  })
})

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
  response.write(event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }))
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
