import { AsyncLocalStorage } from 'node:async_hooks'
import type { Origin } from '../../contexts/registration.ts'
import { callingLine } from './stack-lines.ts'

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

/** Deeper than Node looks by itself: a plugin may register by way of Fastify and helpers of its own. */
const DEPTH = 50

function stackHere(): string {
  const before = Error.stackTraceLimit
  Error.stackTraceLimit = DEPTH
  const { stack = '' } = new Error()
  Error.stackTraceLimit = before
  return stack
}
