import { AsyncLocalStorage } from 'node:async_hooks'
import { relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Origin } from '../contexts/registration.ts'

const loading = new AsyncLocalStorage<string | undefined>()

/** Runs the body of a plugin so that whatever it registers, now or after an await, is known to be its. */
export function asOwner<T>(owner: string, body: () => T): T {
  return loading.run(owner, body)
}

/** Runs what Millrace itself does in the middle of a plugin's loading. */
export function asMillrace<T>(body: () => T): T {
  return loading.run(undefined, body)
}

/** The plugin that is registering something, or undefined where Millrace itself is. */
export function currentOwner(): string | undefined {
  return loading.getStore()
}

/** Who registers something, and the line of the call. To be called while the registration is made. */
export function originHere(fallbackOwner: string): Origin {
  const owner = currentOwner()
  // What Millrace itself registers comes from no line that a reader could change.
  return owner === undefined ? { owner: fallbackOwner, source: null } : { owner, source: lineHere() }
}

/** The line of a plugin that the call came from, if it came from one. */
export function lineHere(): string | null {
  return callingLine(stackHere())
}

/** A file as people write it: from the working directory where it lies below that. */
export function shortPath(file: string): string {
  const path = relative(process.cwd(), resolve(file))
  return path.startsWith('..') ? resolve(file) : path
}

/** Deeper than Node looks by itself: a plugin may register by way of Fastify and helpers of its own. */
const DEPTH = 50

function stackHere(): string {
  const before = Error.stackTraceLimit
  Error.stackTraceLimit = DEPTH
  const { stack = '' } = new Error()
  Error.stackTraceLimit = before
  return stack
}

const OWN_FOLDER = fileURLToPath(new URL('..', import.meta.url))
const FRAME = /(?:\(|at (?:async )?)((?:file:\/\/\/|\/|[A-Za-z]:[\\/])[^<>]*):(\d+):\d+\)?$/
const FRAMEWORK = /[\\/]node_modules[\\/](?:fastify|avvio)[\\/]/
const PACKAGE = /[\\/]node_modules[\\/]/

/** The first line of the stack that is neither Millrace's, Node's nor Fastify's, and no package's if possible. */
function callingLine(stack: string): string | null {
  let packaged: string | null = null
  for (const line of stack.split('\n').slice(1)) {
    const match = FRAME.exec(line.trim())
    if (match === null) continue
    const file = match[1]!.startsWith('file:') ? fileURLToPath(match[1]!) : match[1]!
    if (file.startsWith(OWN_FOLDER) || FRAMEWORK.test(file)) continue
    const place = `${shortPath(file)}:${match[2]}`
    if (!PACKAGE.test(file)) return place
    packaged ??= place
  }
  return packaged
}
