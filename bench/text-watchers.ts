import { get, request as send } from 'node:http'
import { API_KEY } from './service-process.ts'

/**
 * Watches flows, one connection each, starts a run of each, and says on stdout how many tokens came, of how many. Told
 * on stdin how many tokens each is to say; writes "begun" when the first token of every run has come.
 */
const [url, ...flows] = process.argv.slice(2)
const headers = { 'x-api-key': API_KEY, 'content-type': 'application/json' }

interface Watch {
  readonly flow: string
  text: string
  onText: (() => void) | undefined
  onEnd: (() => void) | undefined
}

const watches = await Promise.all(flows.map(open))
console.log('The watchers are ready at loopback')
process.stdin.on('data', (line) => void round(Number(String(line).trim())))

function open(flow: string): Promise<Watch> {
  const watch: Watch = { flow, text: '', onText: undefined, onEnd: undefined }
  return new Promise((resolve) => {
    get(`${url}/api/v1/flows/${flow}/events`, { headers, agent: false }, (events) => {
      let rest = ''
      events.setEncoding('utf8').on('data', (piece: string) => {
        const blocks = (rest + piece).split('\n\n')
        rest = blocks.pop()!
        for (const block of blocks) hear(watch, block)
        resolve(watch)
      })
    })
  })
}

function hear(watch: Watch, block: string): void {
  if (block.includes('event: run.ended')) return watch.onEnd?.()
  if (!block.startsWith('event: message.delta')) return
  const { at, text } = JSON.parse(block.slice(block.indexOf('data: ') + 6)) as { at: number; text: string }
  watch.text = at === 0 ? text : watch.text + text
  watch.onText?.()
}

async function round(tokens: number): Promise<void> {
  const ended = watches.map(
    (watch) =>
      new Promise<void>((resolve) => {
        watch.onEnd = resolve
      })
  )
  const begun = watches.map(
    (watch) =>
      new Promise<void>((resolve) => {
        watch.onText = resolve
      })
  )
  for (const watch of watches) start(watch, tokens)
  await Promise.all(begun)
  console.log('begun')
  await Promise.all(ended)
  const whole = Array.from({ length: tokens }, (_, token) => ` ${token}`).join('')
  const came = watches.filter(({ text }) => text === whole).length
  console.log(`heard ${JSON.stringify({ came, of: watches.length })}`)
}

function start(watch: Watch, tokens: number): void {
  watch.text = ''
  send(`${url}/api/v1/webhook/${watch.flow}`, { method: 'POST', headers, agent: false }, (answer) =>
    answer.resume()
  ).end(JSON.stringify({ tokens }))
}
