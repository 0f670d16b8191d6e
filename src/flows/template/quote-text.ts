const ELLIPSIS = '...'
const NOT_PRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}]+/gu

/** Text from a template or from data, made fit for one line of a message. */
export function cutText(text: string, limit: number): string {
  const line = text
    .slice(0, limit * 2)
    .replace(NOT_PRINTABLE, ' ')
    .toWellFormed()
  const points = Array.from(line)
  const whole = points.length <= limit && text.length <= limit * 2
  return whole ? line : points.slice(0, limit).join('') + ELLIPSIS
}

/** A key as it stands in a list of keys: quoted only where the list would be misread without. */
export function quoteKey(key: string, limit: number): string {
  const cut = cutText(key, limit)
  return cut === '' || cut !== cut.trim() || /[,"]/.test(cut) ? JSON.stringify(cut) : cut
}
