/** The value of one series in the text that /metrics answers, for example `millrace_runs_total{status="failed"}`. */
export function readSeries(text: string, series: string): number {
  for (const line of text.split('\n')) {
    if (line.startsWith(`${series} `)) return Number(line.slice(series.length + 1))
  }
  throw new Error(`/metrics has no series ${series}`)
}
