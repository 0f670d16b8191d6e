/** Reads a guide: its fenced blocks, and of those that show a terminal what is typed and what is printed. */

export interface Block {
  readonly language: string
  readonly lines: readonly string[]
  /** Where the block begins in the guide. */
  readonly line: number
}

export interface Exchange {
  readonly command: string
  readonly printed: readonly string[]
  readonly line: number
}

export function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = []
  let open: { language: string; lines: string[]; line: number } | undefined
  for (const [index, text] of markdown.split('\n').entries()) {
    const fence = /^```(\w*)$/.exec(text)
    if (fence === null) open?.lines.push(text)
    else if (open === undefined) open = { language: fence[1]!, lines: [], line: index + 1 }
    else {
      blocks.push(open)
      open = undefined
    }
  }
  if (open !== undefined) throw new Error(`the block at line ${open.line} does not end`)
  return blocks
}

export function exchangesOf({ lines, line }: Block): Exchange[] {
  const exchanges: { command: string; printed: string[]; line: number }[] = []
  for (const [index, text] of lines.entries()) {
    const last = exchanges.at(-1)
    const here = line + index + 1
    if (last !== undefined && last.printed.length === 0 && isUnfinished(last.command))
      last.command += `\n${text}`
    else if (text.startsWith('$ ')) exchanges.push({ command: text.slice(2), printed: [], line: here })
    else if (last === undefined) throw new Error(`line ${here} is printed before anything is typed`)
    else last.printed.push(text)
  }
  return exchanges
}

/** A command goes on after a backslash, and as long as a quote is open. */
function isUnfinished(command: string): boolean {
  return command.endsWith('\\') || (command.match(/'/g) ?? []).length % 2 === 1
}

/**
 * What the guide says is printed, as a pattern: `…` stands for anything within a line, and on a line of its own for
 * any lines.
 */
export function patternOf(printed: readonly string[]): RegExp {
  const lines = printed.map((line) =>
    line === '…' ? '(?:.*\\n)*?' : `${line.split('…').map(RegExp.escape).join('.*')}\\n`
  )
  return new RegExp(`^${lines.join('')}$`)
}
