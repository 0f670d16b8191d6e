/** The type of a body that is written in UTF-8. */
export function withCharset(type: string): string {
  return /^(?:text\/|application\/json)[^;]*$/i.test(type) ? `${type}; charset=utf-8` : type
}
