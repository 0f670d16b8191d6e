const SCHEMES = /^(?:https?:|mailto:|tel:|ftp:)/i
const HAS_SCHEME = /^\s*[A-Za-z][\w+.-]*:/

/** An address as Markdown has it; no `javascript:`, however it is written. */
export function safeAddress(address: string | undefined): string | undefined {
  // Browsers leave the ends of lines and other signs of control out of an address.
  const plain = address
    ?.trim()
    .replaceAll(/\p{Cc}/gu, '')
    .replaceAll(' ', '%20')
  if (plain === undefined || plain === '') return undefined
  if (HAS_SCHEME.test(plain) && !SCHEMES.test(plain)) return undefined
  // Markdown reads `\:` and `&colon;` in an address as a colon.
  return plain
    .replaceAll('\\', '%5C')
    .replaceAll(/&(?=#?\w{1,40};)/g, '&amp;')
    .replaceAll(/[()<>]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
}
