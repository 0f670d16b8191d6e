/** What an answer calls the file that it is: by Content-Disposition (RFC 6266), else by the end of its address. */
export function filenameOf(disposition: string | undefined, url: string): string {
  return (
    (disposition === undefined ? undefined : (extendedName(disposition) ?? plainName(disposition))) ??
    nameInPath(url) ??
    'response'
  )
}

/** `filename*=UTF-8''na%C3%AFve.pdf` (RFC 8187). */
function extendedName(disposition: string): string | undefined {
  const written = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(disposition)?.[1]
  return written === undefined ? undefined : unescaped(written)
}

function plainName(disposition: string): string | undefined {
  const [, quoted, bare] = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition) ?? []
  return (quoted?.replaceAll(/\\(.)/g, '$1') ?? bare) || undefined
}

function nameInPath(url: string): string | undefined {
  const last = URL.parse(url)?.pathname.split('/').at(-1)
  return last === undefined || last === '' ? undefined : unescaped(last)
}

function unescaped(written: string): string | undefined {
  try {
    return decodeURIComponent(written)
  } catch {
    return undefined
  }
}
