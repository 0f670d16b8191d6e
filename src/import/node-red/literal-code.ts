/** JSON that somebody typed, as code; undefined where it is none. */
export function jsonCode(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** `(nodes["x"]?.parsed_text ?? "")` as JSONata has it. */
export function referenceOf(code: string): string {
  const part = /nodes\["([^"]*)"\]/.exec(code)?.[1]
  return part === undefined ? '""' : `$nodes."${part}".parsed_text`
}
