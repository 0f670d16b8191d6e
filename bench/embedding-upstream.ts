import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { madeVector } from './made-texts.ts'

/** Says what texts mean as OpenAI's embeddings do, at once. */
const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const { input, model } = JSON.parse(Buffer.concat(chunks).toString()) as {
      readonly input: string | readonly string[]
      readonly model: string
    }
    const data = [input].flat().map((text, index) => ({
      object: 'embedding',
      index,
      embedding: madeVector(text)
    }))
    const usage = { prompt_tokens: 1, total_tokens: 1 }
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ object: 'list', model, data, usage }))
  })
})

server.listen(0, '127.0.0.1', () => {
  console.log(`The embeddings are ready at http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
