/** PostgreSQL's text cannot hold the character NUL, which senders can put into JSON: it becomes U+FFFD. */
export function storableText(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text
}
