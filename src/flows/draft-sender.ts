const NAME = /^draft of [0-9a-f-]{36}$/

/** The name of the connection that holds the signing secret of a flow's draft. No version names it: to be live, the secret moves on. */
export function draftSender(flowId: string): string {
  return `draft of ${flowId}`
}

export function isDraftSender(name: unknown): name is string {
  return typeof name === 'string' && NAME.test(name)
}
