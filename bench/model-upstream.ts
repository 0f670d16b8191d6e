import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A model that says " 0", " 1", " 2" … as OpenAI's Chat Completions do: as many as it is asked for, the first one after
 * a moment, the others every 20 ms.
 */
const FIRST_AFTER_MS = 30
const TOKEN_EVERY_MS = 20

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const { messages } = JSON.parse(Buffer.concat(chunks).toString()) as { messages: { content: string }[] }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    setTimeout(() => speak(response, Number(messages.at(-1)!.content)), FIRST_AFTER_MS)
  })
})

function speak(response: ServerResponse, tokens: number): void {
  let said = 0
  const say = () => {
    response.write(chunk({ choices: [{ index: 0, delta: { content: ` ${said++}` }, finish_reason: null }] }))
    if (said < tokens) return
    clearInterval(timer)
    response.write(chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }))
    response.write(
      chunk({ choices: [], usage: { prompt_tokens: 1, completion_tokens: said, total_tokens: said + 1 } })
    )
    response.end('data: [DONE]\n\n')
  }
  const timer = setInterval(say, TOKEN_EVERY_MS)
  response.on('close', () => clearInterval(timer))
  say()
}

function chunk(rest: object): string {
  return `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'bench', ...rest })}\n\n`
}

server.listen(0, '127.0.0.1', () => {
  console.log(`The model is ready at http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
