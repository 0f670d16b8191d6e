/** Text as one word of a POSIX shell. Nothing inside single quotes has a meaning, but they cannot hold one. */
export function quoteShell(text: string): string {
  if (/^[\w%+=:,./@-]+$/.test(text)) return text
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** A word that ends with a variable of the shell. */
export function quoteShellWithVariable(text: string, variable: string): string {
  return /^[\w%+=:,./@ -]*$/.test(text) ? `"${text}$${variable}"` : `${quoteShell(text)}"$${variable}"`
}

/** Text as a JavaScript string; in the quotes that need fewer backslashes. */
export function quoteJavaScript(text: string): string {
  return quoteLike(text)
}

/** Text as a Python string. What JSON escapes, Python reads alike. */
export function quotePython(text: string): string {
  return quoteLike(text)
}

function quoteLike(text: string): string {
  const double = JSON.stringify(text)
  if (!text.includes('"')) return text.includes("'") ? double : `'${double.slice(1, -1)}'`
  return `'${double.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}
