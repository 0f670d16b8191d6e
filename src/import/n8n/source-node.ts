import type { SourceNode } from '../assembly.ts'
import { bounded, type Members } from '../values.ts'
import type { N8nNode } from './n8n-node.ts'

/** The node as all readers of files hand it on, with what it does when it fails. */
export function sourceNode(node: N8nNode): SourceNode {
  return {
    key: node.name,
    type: node.fullType,
    title: node.name,
    x: node.x,
    y: node.y,
    isDisabled: node.isDisabled,
    extras: { ...retryOf(node.raw), ...(failsOn(node.raw) ? {} : { on_error: 'output' }) }
  }
}

function retryOf({ retryOnFail, maxTries, waitBetweenTries }: Members): object {
  if (retryOnFail !== true) return {}
  return {
    retry: {
      attempts: bounded(maxTries, 1, 100) ?? 3,
      backoff_ms: bounded(waitBetweenTries, 0, 86_400_000) ?? 1000
    }
  }
}

export function failsOn({ continueOnFail, onError }: Members): boolean {
  return continueOnFail !== true && (onError === undefined || onError === 'stopWorkflow')
}
