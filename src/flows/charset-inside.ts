/** In so many bytes HTML and XML say how they are written. */
const HEAD_BYTES = 1_024
const XML_LABEL = /^\s*<\?xml[^>]*\bencoding\s*=\s*["']([\w.:-]+)/i
const HTML_LABEL = /charset\s*=\s*["']?([\w.:-]+)/i
const WIDE = /^(?:utf-?16|ucs-?2|unicode$)/i

/** The character set that markup itself names; undefined where it names none, and of all that is no markup. */
export function charsetInside(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, HEAD_BYTES))
  if (!head.trimStart().startsWith('<')) return undefined
  const label = XML_LABEL.exec(head)?.[1] ?? HTML_LABEL.exec(head)?.[1]
  // What can be read by single bytes is not in it: programs of Windows write it of every XML.
  return label !== undefined && WIDE.test(label) ? undefined : label
}
