import type { TextDelta } from '../../runs/live-text/text-news.ts'

/** Writes text as events. All who listen are told the same, one after the other: it is written and encoded once. */
export class TextEvents {
  #newest: { readonly deltas: readonly TextDelta[]; readonly bytes: Uint8Array } | undefined

  write(deltas: readonly TextDelta[]): Uint8Array {
    if (this.#newest?.deltas !== deltas)
      this.#newest = { deltas, bytes: Buffer.from(deltas.map(event).join('')) }
    return this.#newest.bytes
  }
}

/** Without an id: it is told once, and who comes back goes on after the last thing that was stored. */
function event({ flowId, runId, node, at, text }: TextDelta): string {
  return `event: message.delta\ndata: ${JSON.stringify({ flow_id: flowId, run_id: runId, node, at, text })}\n\n`
}
