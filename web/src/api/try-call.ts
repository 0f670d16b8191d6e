import { unreachable } from './problem.ts'

interface TriedCall {
  readonly method: string
  /** Below the service's root. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

export interface TriedAnswer {
  readonly status: string
  readonly isGood: boolean
  readonly took: number
  readonly type: string
  readonly text: string
}

const MOST_SHOWN = 200_000

/** A request that somebody wrote, with the session of the page; whatever comes is an answer. */
export async function tryCall(
  base: string,
  { method, path, headers, body }: TriedCall
): Promise<TriedAnswer> {
  const since = performance.now()
  const response = await fetch(new URL(path, base), {
    method,
    headers,
    credentials: 'same-origin',
    ...(body === undefined ? {} : { body })
  }).catch(() => {
    throw unreachable()
  })
  const type = response.headers.get('content-type') ?? ''
  const text = await readText(response, type)
  return {
    status: `${response.status} ${response.statusText}`.trim(),
    isGood: response.ok,
    took: Math.round(performance.now() - since),
    type,
    text: text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}\n… and more` : text
  }
}

async function readText(response: Response, type: string): Promise<string> {
  if (!/json|text|xml|javascript/.test(type)) {
    const { size } = await response.blob()
    return size === 0 ? '' : `${size} bytes`
  }
  return indented(await response.text(), type)
}

/** JSON by lines, with the digits as they were sent: by its signs alone, and not by what it means. */
function indented(text: string, type: string): string {
  if (!type.includes('json') || text.length > MOST_SHOWN) return text
  let depth = 0
  const line = (change: number) => {
    depth += change
    return `\n${'  '.repeat(depth)}`
  }
  return text.replaceAll(/"(?:[^"\\]|\\.)*"|\[\s*\]|\{\s*\}|[[{]|[\]}]|,|:|\s+/g, (part) => {
    if (part === '[' || part === '{') return part + line(1)
    if (part === ']' || part === '}') return line(-1) + part
    if (part === ',') return part + line(0)
    if (part === ':') return ': '
    return /^\s/.test(part) ? '' : part
  })
}
