import { Caller } from '../../egress/caller.ts'

/** Calls through the guard, without the sign-in of a connection. */
export function plainCaller(egress: ConstructorParameters<typeof Caller>[0], signal: AbortSignal): Caller {
  return new Caller(egress, { trustedFor: () => null, headersFor: (_url, headers) => headers, signal })
}
