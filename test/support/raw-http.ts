import { connect } from 'node:net'

export interface RawAnswer {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
  readonly text: string
}

/** Sends bytes as they are, for requests that no client would make, and reads until the other side closes. */
export function sendRaw(address: string, ...parts: (string | Buffer)[]): Promise<RawAnswer> {
  const { hostname, port } = new URL(address)
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect(Number(port), hostname, () => {
      for (const part of parts) socket.write(part)
    })
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', reject)
    socket.on('end', () => socket.end())
    socket.on('close', () => resolve(readAnswer(Buffer.concat(chunks).toString())))
  })
}

/** A request line with headers, ready to be followed by a body. */
export function requestHead(line: string, headers: Readonly<Record<string, string>> = {}): string {
  const all = { host: 'localhost', connection: 'close', ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return `${[`${line} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`
}

export function readAnswer(text: string): RawAnswer {
  const end = text.indexOf('\r\n\r\n')
  const [line = '', ...lines] = text.slice(0, end).split('\r\n')
  const headers = new Map(
    lines.map((header): [string, string] => {
      const colon = header.indexOf(':')
      return [header.slice(0, colon).toLowerCase(), header.slice(colon + 1).trim()]
    })
  )
  return { status: Number(line.split(' ')[1]), headers, body: text.slice(end + 4), text }
}
