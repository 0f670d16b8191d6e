import type { FlowDocument, FlowNode } from '../../api/shapes.ts'

/** How a flow is started from outside: what to run in a shell, and what it needs. */
export interface StartCommand {
  readonly command: string
  /** What has to be put in before it works. */
  readonly needs: 'key' | 'signature' | 'nothing'
}

/**
 * The command that the Webhook node holds, where somebody wrote one; else one that works. `defaultAuth` is what the
 * flow's context asks of callers where the node says nothing.
 */
export function startCommand(
  flow: Pick<FlowDocument, 'slug' | 'nodes'>,
  address: string,
  defaultAuth: string
): StartCommand | undefined {
  const webhook = flow.nodes.find(({ type }) => type === 'webhook')
  if (webhook === undefined) return undefined
  const auth = textField(webhook, 'auth') ?? defaultAuth
  const needs = auth === 'None' ? 'nothing' : auth === 'Signature' ? 'signature' : 'key'
  const written = textField(webhook, 'curl')
  if (written !== undefined && written.trim() !== '') return { command: written, needs }
  const lines = [
    `curl -X POST ${address}`,
    ...(needs === 'key' ? ['  -H "x-api-key: $MILLRACE_API_KEY"'] : []),
    '  -H "content-type: application/json"',
    `  -d '{"hello": "world"}'`
  ]
  return { command: lines.join(' \\\n'), needs }
}

function textField(node: FlowNode, name: string): string | undefined {
  const value = (node.fields as Readonly<Record<string, unknown>> | undefined)?.[name]
  return typeof value === 'string' ? value : undefined
}
