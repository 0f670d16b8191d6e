import { isText, type StepNews } from '../../runs/live-text/text-news.ts'

/** Writes what steps tell as events. All who listen are told the same, one after the other: it is written and encoded once. */
export class TextEvents {
  #newest: { readonly news: readonly StepNews[]; readonly bytes: Uint8Array } | undefined

  write(news: readonly StepNews[]): Uint8Array {
    if (this.#newest?.news !== news) this.#newest = { news, bytes: Buffer.from(news.map(event).join('')) }
    return this.#newest.bytes
  }
}

/** Without an id: it is told once, and who comes back goes on after the last thing that was stored. */
function event(news: StepNews): string {
  const place = { flow_id: news.flowId, run_id: news.runId, node: news.node }
  return isText(news)
    ? written('message.delta', { ...place, at: news.at, text: news.text })
    : written('step.tool', { ...place, ...news.tool })
}

function written(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}
