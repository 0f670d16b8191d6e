/** Text as Markdown shows it as it is, wherever in a line it stands. An ampersand too, where it would be read with what follows as one letter. */
export function escaped(text: string): string {
  return text.replaceAll(/[\\`*_~[\]<>]|&(?=#?\w{1,40};)/g, (sign) => `\\${sign}`).replace(/!$/, () => '\\!') // A link that follows would be a picture.
}

/** What means something only where a line begins with it: an item, a heading, and the line below a heading or the head of a table. */
const UNDERLINE = /^[|:\s]*-[|:\s-]*$/
const NUMBER = /^(\d{1,9})([.)])(?=\s|$)/
const SIGNS = /^(?:#{1,6}(?=\s|$)|[-+](?=\s|$)|=+\s*$)/

/** A line of a paragraph, which is nothing else. */
export function asPlainLine(line: string): string {
  if (UNDERLINE.test(line)) return line.replace('-', '\\-')
  return line.replace(NUMBER, '$1\\$2').replace(SIGNS, (signs) => `\\${signs}`)
}

/** A heading leaves out the signs that it ends with. */
export function asHeadingText(text: string): string {
  return text.replace(/(?<=^|\s)#+$/, (signs) => `\\${signs}`)
}
